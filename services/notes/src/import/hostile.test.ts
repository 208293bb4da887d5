import { buffer } from 'node:stream/consumers';
import { PLAN_LIMITS } from '@atrium/contracts/notes';
import { createLogger } from '@atrium/service-kit/logger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImportDeps } from '../app.ts';
import { MissingFile } from '../files/storage.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { type FixtureEntry, importInto, readImport, upload, zip } from './archive.fixture.ts';
import { purgeImports } from './purge.ts';
import { FAILURES_MAX } from './store.ts';
import { runImports } from './worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function start(plan: 'free' | 'pro' = 'free') {
  const token = app.issuer.issueToken({ plan });
  const call = app.asToken(token);
  const workspaceId = await newWorkspace(call);
  const noteCount = async () =>
    (await call('GET', `/api/workspaces/${workspaceId}`)).body['noteCount'];
  const run = (archive: Buffer) => importInto(app, token, workspaceId, archive);
  return { token, call, workspaceId, noteCount, run };
}

const GOOD: FixtureEntry = { path: 'good.md', content: 'text' };
const LINK = 0o120777;
const MB = 1024 ** 2;

const HOSTILE: [name: string, entries: FixtureEntry[], error: RegExp][] = [
  ['a path to a folder above', [{ path: '../evil.md' }], /invalid relative path/],
  ['such a path with backslashes', [{ path: '..\\evil.md' }], /invalid relative path/],
  ['an absolute path', [{ path: '/etc/passwd' }], /absolute path/],
  ['a path with a drive', [{ path: 'C:/evil.md' }], /absolute path/],
  ['a path with control characters', [{ path: 'a\nb.md' }], /control characters/],
  ['a path that is too long', [{ path: `${'x'.repeat(600)}.md` }], /too long/],
  ['a link', [{ path: 'a.md', content: '/etc/passwd', mode: LINK }], /has a link/],
  [
    'an encrypted entry',
    [{ path: 'a.md', content: 'x'.repeat(12), sizeBytes: 0, flags: 1 }],
    /encrypted/,
  ],
  ['the same path twice', [GOOD, GOOD], /good\.md twice/],
  ['entries that overlap', [{ path: 'a.md' }, { path: 'b.md', isOverlapping: true }], /overlap/],
  [
    'more than it says',
    [{ path: 'a.md', content: 'x'.repeat(MB), isCompressed: true, sizeBytes: 10 }],
    /too many bytes/,
  ],
  [
    'less than it says',
    [{ path: 'a.md', content: 'x', isCompressed: true, sizeBytes: 10 }],
    /not enough bytes/,
  ],
  [
    'another checksum than it says',
    [{ path: 'a.md', content: 'x', checksum: 1 }],
    /not what it was/,
  ],
  [
    'content that was compressed too much',
    [{ path: 'a.bin', content: Buffer.alloc(65 * MB), isCompressed: true }],
    /zip bomb/,
  ],
  [
    'more than the plan stores, unpacked',
    Array.from({ length: 2 }, (_, n) => ({
      path: `${n}.bin`,
      content: 'x',
      isCompressed: true,
      sizeBytes: PLAN_LIMITS.free.storageBytes - 1,
    })),
    /bytes unpacked/,
  ],
  [
    'too many entries',
    Array.from({ length: 50_001 }, (_, n) => ({ path: `${n}` })),
    /50000 entries/,
  ],
];

describe('an archive is refused as a whole, and nothing changes, when it has', () => {
  test.each(HOSTILE)('%s', async (_name, entries, error) => {
    const { run, noteCount } = await start();
    const done = await run(zip([{ path: 'first.md', content: 'text' }, ...entries]));
    expect(done).toMatchObject({ state: 'failed', done: 0, created: 0 });
    expect(done.error).toMatch(error);
    expect(await noteCount()).toBe(0);
  });

  test.each([
    ['no zip archive at all', Buffer.from('# A note')],
    ['a directory that is cut off', zip([GOOD]).subarray(0, -30)],
    ['two archives in one', Buffer.concat([zip([GOOD]), Buffer.from('trailing')])],
  ])('%s', async (_name, archive) => {
    const { run } = await start();
    expect(await run(archive)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^The archive cannot be read|not a complete zip archive$/),
    });
  });
});

describe('the plan of the owner', () => {
  test('refuses an archive as a whole when its notes do not fit', async () => {
    const { run, call, workspaceId, noteCount } = await start();
    await newNote(call, workspaceId, { title: 'There' });
    const notes = Array.from({ length: 100 }, (_, n) => ({ path: `${n}.md`, content: `${n}` }));
    expect(await run(zip(notes))).toMatchObject({
      state: 'failed',
      error:
        'The archive has 100 new notes; the plan of the owner allows 100 in a workspace, and this one has 1',
    });
    expect(await noteCount()).toBe(1);
    expect(await run(zip(notes.slice(1)))).toMatchObject({ state: 'completed', created: 99 });
  });

  test('leaves out a note and a file that are too large, and says so', async () => {
    const { run } = await start();
    const { noteSizeBytes, fileSizeBytes } = PLAN_LIMITS.free;
    const archive = zip([
      { path: 'small.md', content: `${'x'.repeat(noteSizeBytes - 12)}[f](f.bin)` },
      { path: 'long.md', content: 'x'.repeat(noteSizeBytes + 1) },
      { path: 'longest.md', content: 'x'.repeat(1_000_000), isCompressed: true },
      { path: 'f.bin', content: Buffer.alloc(fileSizeBytes + 1) },
    ]);
    const { created, skipped } = await run(archive);
    expect({ created, skipped }).toEqual({
      created: 1,
      skipped: [
        { path: 'longest.md', reason: 'It is longer than a note may be' },
        { path: 'f.bin', reason: 'A file may have at most 10 MB in this workspace' },
        { path: 'long.md', reason: 'A note may have at most 51200 bytes in this workspace' },
      ],
    });
  });

  test('limits the archive itself', async () => {
    const { token, workspaceId } = await start();
    const response = await app.server.inject({
      method: 'POST',
      url: `/api/workspaces/${workspaceId}/imports`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-length': String(PLAN_LIMITS.free.archiveSizeBytes + 1),
      },
    });
    expect([response.statusCode, response.json().message]).toEqual([
      403,
      'An archive may have at most 100 MB in this workspace',
    ]);
  });
});

test('reports a note that cannot be read, and imports the others', async () => {
  const { run } = await start();
  const laughs = Array.from({ length: 9 }, (_, n) =>
    n === 0 ? 'a0: &a0 x' : `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`,
  ).join('\n');
  const { created, skipped } = await run(
    zip([
      { path: 'yaml.md', content: '---\ntitle: [\n---\ntext' },
      { path: 'list.md', content: '---\n- a\n---\ntext' },
      { path: 'aliases.md', content: `---\n${laughs}\n---\ntext` },
      { path: 'nested.md', content: `---\na: ${'['.repeat(8000)}\n---\ntext` },
      { path: 'long.md', content: `---\na: ${'x'.repeat(8200)}\n---\ntext` },
      { path: 'latin.md', content: Buffer.from('caf\u00e9', 'latin1') },
      { path: 'nul.md', content: 'a\0b' },
      GOOD,
    ]),
  );
  expect({ created, skipped }).toEqual({
    created: 1,
    skipped: [
      { path: 'yaml.md', reason: 'Its front matter is not valid YAML' },
      { path: 'list.md', reason: 'Its front matter is not a list of properties' },
      { path: 'aliases.md', reason: 'Its front matter is not valid YAML' },
      { path: 'nested.md', reason: 'Its front matter is not valid YAML' },
      { path: 'long.md', reason: 'Its front matter is too long' },
      { path: 'latin.md', reason: 'It is not a text in UTF-8' },
      { path: 'nul.md', reason: 'It has a NUL character' },
    ],
  });
});

test('an import that ends its process each time fails after 10 times', async () => {
  const { token, workspaceId } = await start();
  const { imports } = createImportDeps(app);
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  for (let times = 0; times < FAILURES_MAX; times += 1) {
    expect((await imports.lease())?.id).toBe(body.id);
    await app.database.query('UPDATE imports SET leased_until = now() WHERE id = $1', [body.id]);
  }
  await app.runImports();
  expect(await readImport(app, token, body)).toMatchObject({
    state: 'failed',
    error: 'The archive could not be imported, please try again',
  });
  await expect(app.storage.read(body.id)).rejects.toThrow(MissingFile);
});

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
  await app.database.query('UPDATE imports SET leased_until = now() WHERE id = $1', [body.id]);
  await app.runImports();
  expect(await readImport(app, token, body)).toMatchObject({ state: 'completed', created: 1 });
});

test('one import at a time is taken into a workspace', async () => {
  const { token, workspaceId } = await start();
  const answers = await Promise.all(
    [1, 2, 3].map(() => upload(app, token, workspaceId, zip([GOOD]))),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
});

test('an import is erased with its archive when its workspace is deleted', async () => {
  const { token, call, workspaceId } = await start();
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  await buffer(await app.storage.read(body.id));
  await call('DELETE', `/api/workspaces/${workspaceId}`);
  await app.runImports();
  await expect(app.storage.read(body.id)).rejects.toThrow(MissingFile);
});

test('an upload that was never finished is erased, so that another can begin', async () => {
  const { token, workspaceId } = await start();
  const { body } = await upload(app, token, workspaceId, zip([GOOD]));
  const age = `UPDATE imports SET state = 'uploading', created_at = now() - interval '1 hour' WHERE id = $1`;
  await app.database.query(age, [body.id]);
  await purgeImports(app.database, app.storage);
  expect((await upload(app, token, workspaceId, zip([GOOD]))).status).toBe(202);
});
