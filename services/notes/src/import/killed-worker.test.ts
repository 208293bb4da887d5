import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';
import { uploadNote } from './archive.fixture.ts';

const ENTRY = fileURLToPath(new URL('../worker.ts', import.meta.url));
/** Kills the process when it reads what is in an archive, as an archive might. */
const KILLER = `data:text/javascript,
  import zlib from 'node:zlib';
  import { syncBuiltinESMExports } from 'node:module';
  zlib.crc32 = () => process.kill(process.pid, 'SIGKILL');
  syncBuiltinESMExports();`.replaceAll(/\s+/g, ' ');
const EXPIRE_LEASE = `UPDATE imports SET leased_until = now() - interval '1 s' WHERE id = $1`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function start() {
  const { id, read } = await uploadNote(app);
  const startWorker = (...args: string[]) => {
    const worker = spawn(process.execPath, [...args, ENTRY], { env: app.workerEnvironment() });
    onTestFinished(() => void worker.kill('SIGKILL'));
    worker.stdout.resume();
    return { exit: once(worker, 'close') };
  };
  /** A worker that its archive kills, and the end of its lease. */
  const killWorker = async () => {
    // It gives up by itself where a busy machine does not connect it in time.
    await until(async () => (await startWorker(`--import=${KILLER}`).exit)[1] === 'SIGKILL');
    await app.database.query(EXPIRE_LEASE, [id]);
  };
  const finished = async () => {
    startWorker();
    return until(async () => {
      const found = await read();
      return found.finishedAt === null ? undefined : found;
    });
  };
  return { killWorker, finished };
}

test('an import whose worker was killed is tried once more', async () => {
  const { killWorker, finished } = await start();
  await killWorker();
  expect(await finished()).toMatchObject({ state: 'completed', created: 1, error: null });
});

test('an import whose worker was killed twice fails, and its owner reads why', async () => {
  const { killWorker, finished } = await start();
  await killWorker();
  await killWorker();
  expect(await finished()).toMatchObject({
    state: 'failed',
    created: 0,
    error: 'The import was interrupted twice: please try a smaller archive',
  });
});
