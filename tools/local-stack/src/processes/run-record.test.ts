import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandLine } from './process-identity.ts';
import { recordRun, stopLeftoverRun } from './run-record.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-run-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function startSleeper(marker: string) {
  const script = 'console.log("up"); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script, marker]);
  await once(child.stdout, 'data');
  const { pid } = child;
  if (pid === undefined) throw new Error('no process');
  return { child, pid };
}

test('the next start stops a recorded process', async () => {
  const { child, pid } = await startSleeper('marker-a');
  await recordRun(dataDir, [{ pid, marker: 'marker-a' }]);
  const exited = once(child, 'exit');
  await stopLeftoverRun(dataDir);
  expect((await exited)[1]).toBe('SIGTERM');
});

test('a reused process id is left alone', async () => {
  const { child, pid } = await startSleeper('marker-b');
  await recordRun(dataDir, [{ pid, marker: 'marker-of-ours' }]);
  await stopLeftoverRun(dataDir);
  expect(await commandLine(pid)).toContain('marker-b');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
});

test('the start fails while a run on the same data directory is alive', async () => {
  const { child, pid } = await startSleeper('marker-c');
  const owner = { pid, commandLine: await commandLine(pid) };
  await writeFile(join(dataDir, 'running.json'), JSON.stringify({ owner, children: [] }));
  await expect(stopLeftoverRun(dataDir)).rejects.toThrow(`process ${pid}`);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
});
