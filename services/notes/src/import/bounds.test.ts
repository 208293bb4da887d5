import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ZipEntry, zip } from '@atrium/testkit/zip';
import { expect, test, vi } from 'vitest';
import { openFolderStorage } from '../files/folder.ts';
import type { ArchiveContents, ArchivedFile } from './archive-contents.ts';
import { rewriteLinks } from './links.ts';
import { linkExported } from './note-links.ts';

const READER = fileURLToPath(new URL('./read-archive.fixture.ts', import.meta.url));
/** What the image gives each process. */
const HEAP = '--max-old-space-size=160';
const KEY = 'imp_archive';
/** With it, 260 MB of text are not compressed so much that they look like a zip bomb. */
const PADDING = { path: '.padding', content: randomBytes(1.5 * 1024 ** 2), isCompressed: false };

/** Reads an archive in a process of its own. */
async function readIn(heap: string, entries: ZipEntry[]): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-archive-'));
  try {
    const archive = zip([PADDING, ...entries.map((entry) => ({ isCompressed: true, ...entry }))]);
    await openFolderStorage(folder).write(KEY, Readable.from([archive]), {
      sizeBytes: archive.length,
    });
    const args = [heap, READER, folder, KEY, String(archive.length)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const ID = (kind: string, n: number) => `${kind}_${String(n).padStart(26, '0')}`;
const notes = (count: number, contentOf: (n: number) => string): ZipEntry[] =>
  Array.from({ length: count }, (_, n) => ({ path: `${n}.md`, content: contentOf(n) }));

test.each([
  [
    'links as long as their notes',
    notes(400, (n) => `[a](${n}${'x'.repeat(639_000)}) [[${n}${'y'.repeat(500)}]]`),
    { notes: 400, files: 0, skipped: 0 },
  ],
  [
    'long notes with ids',
    notes(400, (n) => `---\nid: ${ID('note', n)}\n---\n${'x'.repeat(639_000)}`),
    { notes: 400, files: 0, skipped: 0 },
  ],
  [
    'the most entries with the longest names',
    Array.from({ length: 9_999 }, (_, n) => ({
      path: `${'a\u0308/'.repeat(165)}${n}`,
      comment: 'x'.repeat(1024),
    })),
    { notes: 0, files: 0, skipped: 9_999 },
  ],
])('an archive with %s is read in a heap of 160 MB', async (_what, entries, counts) => {
  expect(await readIn(HEAP, entries)).toEqual(counts);
});

let nowMs = performance.now();

/** Runs something, and counts how often other work had its turn: a turn is over whenever one may end. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1));
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  await work();
  clearImmediate(timer);
  return turns;
}

test('other work has its turn after each link, and links are not sought again for each file', async () => {
  const file = (n: number) => ({
    sourceId: ID('fil', n),
    path: `attachments/${ID('fil', n)}-a ${n}.txt`,
  });
  const filesById = new Map(Array.from({ length: 9_800 }, (_, n) => [ID('fil', n), file(n)]));
  const contents = { filesById: filesById as unknown as ReadonlyMap<string, ArchivedFile> };
  const ids = { notes: new Map(), files: new Map([...filesById.keys()].map((id) => [id, id])) };
  const text = [...filesById.values()].map(({ path }) => `[](../${encodeURI(path)})`).join('');
  using replaced = vi.spyOn(String.prototype, 'replaceAll');
  using matched = vi.spyOn(String.prototype, 'matchAll');
  let linked = '';
  const turns = await countTurns(async () => {
    linked = await linkExported(text, 'notes/n.md', contents as ArchiveContents, ids);
  });
  expect(linked).toBe(
    [...filesById.keys()].map((id) => `[](/api/attachments/${id}/content)`).join(''),
  );
  expect(turns).toBeGreaterThanOrEqual(9_800);
  expect(replaced.mock.calls.length + matched.mock.calls.length).toBeLessThan(10);
});

test('other work has its turn while the links of a folder are sought', async () => {
  const text = '[[a]] [b](b.md) `c` '.repeat(1_000);
  let found = 0;
  const turns = await countTurns(() => rewriteLinks(text, () => void (found += 1)));
  expect(found).toBe(2_000);
  expect(turns).toBeGreaterThanOrEqual(2_000);
});

test('what is longer than a path can be is no link', async () => {
  const targets: string[] = [];
  const long = 'x'.repeat(1025);
  const text = `[a](${long}) [[${long}]] [a](${'%20'.repeat(1025)}) [b](${'%20'.repeat(1024)}) [[c]]`;
  const rewritten = await rewriteLinks(text, ({ target }) => void targets.push(target));
  expect(rewritten).toBe(text);
  expect(targets).toEqual([' '.repeat(1024), 'c']);
});
