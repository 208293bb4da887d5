import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { type ZipEntry, zip } from '@atrium/testkit/zip';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { importInto } from './archive.fixture.ts';

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

const GOOD: ZipEntry = { path: 'good.md', content: 'text' };
const LINK = 0o120777;
const MB = 1024 ** 2;

const HOSTILE: [name: string, entries: ZipEntry[], error: RegExp][] = [
  ['a path to a folder above', [{ path: '../evil.md' }], /invalid relative path/],
  ['such a path with backslashes', [{ path: '..\\evil.md' }], /invalid relative path/],
  ['an absolute path', [{ path: '/etc/passwd' }], /absolute path/],
  ['a path with a drive', [{ path: 'C:/evil.md' }], /absolute path/],
  ['a path with control characters', [{ path: 'a\nb.md' }], /control characters/],
  ['a path that is too long', [{ path: `${'x'.repeat(900)}.md` }], /too long/],
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
    /more than \d+ [GM]B unpacked/,
  ],
  [
    'too many entries',
    Array.from({ length: 10_001 }, (_, n) => ({ path: `${n}` })),
    /10000 entries/,
  ],
  ['an entry with a long comment', [{ path: 'a.md', comment: 'x'.repeat(1025) }], /extra fields/],
  [
    'too many links',
    Array.from({ length: 20 }, (_, n) => ({
      path: `${n}.md`,
      content: '[](a)'.repeat(10_001),
      isCompressed: true,
    })),
    /too many links/,
  ],
  [
    'more notes than the workspace and its trash can have',
    Array.from({ length: 300 }, (_, n) => ({ path: `${n}.md`, content: '---\n[\n---\n' })),
    /more than 300 notes/,
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

  test('does not count notes that are too large for it', async () => {
    const { run } = await start();
    const notes = Array.from({ length: 100 }, (_, n) => ({ path: `${n}.md`, content: `${n}` }));
    const archive = zip([...notes, { path: 'long.md', content: 'x'.repeat(200_000) }]);
    expect(await run(archive)).toMatchObject({
      state: 'completed',
      created: 100,
      skipped: [{ path: 'long.md' }],
    });
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
        { path: 'long.md', reason: 'A note may have at most 50 kB in this workspace' },
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
      { path: 'keys.md', content: '---\n? a\n---\ntext' },
      { path: 'nested.md', content: `---\na: ${'['.repeat(301)}\n---\ntext` },
      { path: 'long.md', content: `---\na: ${'x'.repeat(4100)}\n---\ntext` },
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
      { path: 'keys.md', reason: 'Its front matter is too complex' },
      { path: 'nested.md', reason: 'Its front matter is too complex' },
      { path: 'long.md', reason: 'Its front matter is too long' },
      { path: 'latin.md', reason: 'It is not a text in UTF-8' },
      { path: 'nul.md', reason: 'It has a NUL character' },
    ],
  });
});

test('takes a folder whose workspace.yaml is as complex as no export for one of other programs', async () => {
  const { run } = await start();
  const about = '? keys\nformat: 1\nname: a\ndescription: b';
  expect(await run(zip([{ path: 'workspace.yaml', content: about }, GOOD]))).toMatchObject({
    state: 'completed',
    source: null,
    created: 1,
  });
});

test('an export that somebody changed has a name that can be stored, and one file of each id', async () => {
  const { run } = await start();
  const id = `fil_${'0'.repeat(26)}`;
  const done = await run(
    zip([
      {
        path: 'workspace.yaml',
        content: `format: 1\nname: "a\\0${'b'.repeat(200)}"\ndescription: x`,
      },
      { path: `attachments/${id}-a.txt`, content: 'a' },
      { path: `attachments/${id}-b.txt`, content: 'b' },
    ]),
  );
  expect(done).toMatchObject({
    state: 'completed',
    total: 1,
    source: { name: `a${'b'.repeat(99)}`, description: 'x' },
    skipped: [{ path: `attachments/${id}-b.txt`, reason: 'Another file has its id' }],
  });
});
