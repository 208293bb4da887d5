import { buffer } from 'node:stream/consumers';
import { createLogger } from '@atrium/service-kit/logger';
import { createMetrics } from '@atrium/service-kit/metrics';
import { zip } from '@atrium/testkit/zip';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkerApp, createImportDeps } from '../worker-app.ts';
import { MissingFile } from '../files/storage.ts';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { readImport, upload } from './archive.fixture.ts';
import { purgeImports } from './purge.ts';
import { runImports } from './run-imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const GOOD = { path: 'good.md', content: 'text' };
const KEY = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };

async function start(plan: 'free' | 'pro' = 'free') {
  const token = app.issuer.issueToken({ plan });
  const call = app.asToken(token);
  return { token, call, workspaceId: await newWorkspace(call) };
}

// Times are stored rounded to milliseconds, so now() may still be to come.
const EXPIRE_LEASE = `UPDATE imports SET leased_until = now() - interval '1 s' WHERE id = $1`;

test('a worker that lost its lease leaves the archive to the other', async () => {
  const { token, workspaceId } = await start();
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  const deps = createImportDeps(app);
  const finish: typeof deps.imports.finish = async (...args) => {
    await app.database.query('UPDATE imports SET attempt = attempt + 1 WHERE id = $1', [body.id]);
    return deps.imports.finish(...args);
  };
  const logger = createLogger({ service: 'notes', level: 'silent' });
  const { signal } = new AbortController();
  await runImports({ ...deps, imports: { ...deps.imports, finish } }, logger, signal);
  await buffer(await app.storage.read(body.id));
  await app.database.query(EXPIRE_LEASE, [body.id]);
  await app.runImports();
  expect(await readImport(app, token, body)).toMatchObject({ state: 'completed', created: 1 });
});

test('an archive that cannot be removed after its import is removed later', async () => {
  const { token, workspaceId } = await start();
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  const deps = createImportDeps(app);
  const remove = () => Promise.reject(new Error('refused'));
  const logger = createLogger({ service: 'notes', level: 'silent' });
  const { signal } = new AbortController();
  await runImports({ ...deps, storage: { ...deps.storage, remove } }, logger, signal);
  await buffer(await app.storage.read(body.id));
  await purgeImports(app.database, app.storage);
  await expect(app.storage.read(body.id)).rejects.toThrow(MissingFile);
  expect(await readImport(app, token, body)).toMatchObject({ state: 'completed', created: 1 });
});

test('an upload that fails once its archive is stored leaves no archive', async () => {
  const { token, workspaceId } = await start();
  const keys: string[] = [];
  const write: typeof app.storage.write = async (key, ...args) => {
    await app.storage.write(key, ...args);
    keys.push(key);
    throw new Error('timeout');
  };
  await using server = await buildWorkerApp({
    ...app,
    metrics: createMetrics(),
    storage: { ...app.storage, write },
    wakeImports: () => undefined,
  });
  const answer = await upload({ server }, token, workspaceId, zip([GOOD]));
  expect([answer.status, keys.length]).toEqual([503, 1]);
  await expect(app.storage.read(String(keys[0]))).rejects.toThrow(MissingFile);
  expect((await upload(app, token, workspaceId, zip([GOOD]))).status).toBe(202);
  await app.runImports();
});

test('interruptions are counted between two steps', async () => {
  const { token, workspaceId } = await start();
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  const { imports } = createImportDeps(app);
  const interruptions: unknown[] = [];
  for (const isStep of [false, true, false]) {
    const leased = await imports.lease();
    interruptions.push(leased?.interruptions);
    if (leased !== null && isStep) {
      await imports.record(app.database, leased, { kind: 'unchanged' });
    }
    await app.database.query(EXPIRE_LEASE, [body.id]);
  }
  expect(interruptions).toEqual([0, 1, 1]);
  await app.database.query('DELETE FROM imports WHERE id = $1', [body.id]);
});

test('skips nothing silently when the plan changes half-way', async () => {
  const { token, workspaceId } = await start('pro');
  const paths = ['0.md', '1.md', '2.md', '3.md'];
  const content = 'x'.repeat(300_000);
  const entries = paths.map((path, n) => ({ path, content: n % 2 === 0 ? content : 'text' }));
  const { body } = await upload(app, token, workspaceId, zip(entries));
  const deps = createImportDeps(app);
  const interrupted = new AbortController();
  const record: typeof deps.imports.record = async (...args) => {
    await deps.imports.record(...args);
    interrupted.abort();
  };
  const logger = createLogger({ service: 'notes', level: 'silent' });
  const run = runImports(
    { ...deps, imports: { ...deps.imports, record } },
    logger,
    interrupted.signal,
  );
  await expect(run).rejects.toThrow('aborted');
  await app.database.query(
    `UPDATE owners SET plan = 'free' FROM workspaces WHERE owner_id = account_id AND id = $1`,
    [workspaceId],
  );
  await app.runImports();
  expect(await readImport(app, token, body)).toMatchObject({
    done: 4,
    total: 4,
    created: 3,
    skipped: [{ path: '2.md' }],
  });
});

test('one import at a time is taken into a workspace', async () => {
  const { token, workspaceId } = await start();
  const answers = await Promise.all(
    [1, 2, 3].map(() => upload(app, token, workspaceId, zip([GOOD]))),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
});

test('imports are listed in pages of few when their reports are long', async () => {
  const { call, workspaceId } = await start();
  const path = 'x'.repeat(2_500);
  await app.database.query(
    `INSERT INTO imports (id, workspace_id, account_id, size_bytes, report_bytes, state, finished_at, skipped)
     SELECT 'imp_' || lpad(n::text, 26, '0'), $1, 'usr_1', 1, 260000, 'completed', now(),
       (SELECT jsonb_agg(jsonb_build_object('path', $2::text, 'reason', '')) FROM generate_series(1, 100))
     FROM generate_series(1, 12) AS n`,
    [workspaceId, path],
  );
  const pages: number[] = [];
  const ids = new Set<unknown>();
  for (let cursor = ''; ;) {
    const url = `/api/workspaces/${workspaceId}/imports?limit=100${cursor}`;
    const { data, nextCursor } = (await call('GET', url)).body;
    const imports = data as { id: string }[];
    pages.push(imports.length);
    for (const { id } of imports) ids.add(id);
    if (nextCursor === null) break;
    cursor = `&cursor=${nextCursor as string}`;
  }
  expect([pages, ids.size]).toEqual([[5, 5, 2], 12]);
});

test('an import is erased with its archive when its workspace is deleted', async () => {
  const { token, call, workspaceId } = await start();
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  await buffer(await app.storage.read(body.id));
  await call('DELETE', `/api/workspaces/${workspaceId}`);
  await app.runImports();
  await expect(app.storage.read(body.id)).rejects.toThrow(MissingFile);
});

test('an upload that was killed is not in the way of another, and is erased', async () => {
  const { token, workspaceId } = await start();
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  const age = `UPDATE imports SET state = 'uploading', leased_until = now() - interval '1 hour' WHERE id = $1`;
  await app.database.query(age, [body.id]);
  expect((await upload(app, token, workspaceId, zip([GOOD]))).status).toBe(202);
  await purgeImports(app.database, app.storage);
  await expect(app.storage.read(body.id)).rejects.toThrow(MissingFile);
});

test('returns 409, with Retry-After for the same key, while the first archive is uploaded', async () => {
  const { token, workspaceId } = await start();
  const send = (content: string, key = {}) =>
    upload(app, token, workspaceId, zip([{ path: 'note.md', content }]), key);
  const { body } = await send('text');
  await app.database.query(
    `UPDATE imports SET state = 'uploading', leased_until = now() + interval '1 minute' WHERE id = $1`,
    [body.id],
  );
  expect(await send('text', KEY)).toMatchObject({
    status: 409,
    headers: { 'retry-after': '1' },
    body: { message: 'A request with this Idempotency-Key is in progress' },
  });
  for (const answer of [await send('text'), await send('longer text', KEY)]) {
    const message = 'Another import is in progress';
    expect(answer).toMatchObject({ status: 409, body: { message } });
    expect(answer.headers).not.toHaveProperty('retry-after');
  }
});

test('repeats the response to an archive that is being imported', async () => {
  const { token, call, workspaceId } = await start();
  const first = await upload(app, token, workspaceId, zip([GOOD]), KEY);
  expect((await upload(app, token, workspaceId, zip([GOOD]))).status).toBe(409);
  expect(await upload(app, token, workspaceId, zip([GOOD]), KEY)).toMatchObject({
    status: 202,
    body: first.body,
    headers: { 'idempotent-replayed': 'true' },
  });
  const { body } = await call('GET', `/api/workspaces/${workspaceId}/imports`);
  expect([first.status, body['data']]).toEqual([202, [first.body]]);
});
