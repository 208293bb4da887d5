import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileStorage } from '../files/storage.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { createImportDeps } from '../worker-app.ts';
import { uploadNote } from './archive.fixture.ts';
import { startImports } from './queue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Workers that read no archive before it is released; `begun` has the archives that they would read. */
function holdWorkers() {
  const begun = new Set<string>();
  const { promise: released, resolve: release } = Promise.withResolvers<unknown>();
  const read: FileStorage['read'] = async (key, options) => {
    begun.add(key);
    const ended = new Promise((_resolve, reject) => {
      options?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
    await Promise.race([released, ended]);
    return app.storage.read(key, options);
  };
  const deps = createImportDeps({ ...app, storage: { ...app.storage, read } });
  const startWorker = (shutdown = new AbortController().signal) =>
    startImports(deps, { ...app, shutdown });
  return { begun, release, startWorker };
}

test('two workers import two archives at the same time', async () => {
  const [ada, bob] = [await uploadNote(app), await uploadNote(app)];
  const { begun, release, startWorker } = holdWorkers();
  await using first = startWorker();
  await using _second = startWorker();
  await until(() => begun.size > 0);
  first.wake();
  await until(() => begun.size === 2);
  expect(begun).toEqual(new Set([ada.id, bob.id]));
  release(undefined);
  for (const { read } of [ada, bob]) {
    await until(async () => (await read()).state === 'completed');
  }
});

test('an import whose worker shuts down is released before the worker has ended', async () => {
  const { id, read } = await uploadNote(app);
  for (let times = 0; times < 3; times += 1) {
    const { begun, startWorker } = holdWorkers();
    const shutdown = new AbortController();
    await using worker = startWorker(shutdown.signal);
    worker.wake();
    await until(() => begun.has(id));
    shutdown.abort();
    await until(async () => {
      const leased = 'SELECT FROM imports WHERE id = $1 AND is_leased';
      return (await app.database.query(leased, [id])).length === 0;
    });
  }
  await app.runImports();
  expect(await read()).toMatchObject({ state: 'completed', created: 1 });
});
