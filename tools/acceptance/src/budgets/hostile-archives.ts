import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { newId } from '@atrium/contracts/ids';
import { type ZipEntry, zip } from '@atrium/testkit/zip';

const KB = 1024;
const MB = 1024 ** 2;
/** The longest file that is read as a note. */
const NOTE_BYTES = 640_000;
/** As many as a free workspace and its trash hold. */
const NOTES = 300;
const ENTRIES_MAX = 10_000;

/** Does not shrink, so that the archive may unpack to more. */
const padding = (sizeBytes: number): ZipEntry => ({
  path: 'padding.bin',
  content: randomBytes(sizeBytes),
});

function times<Item>(count: number, make: (n: number) => Item): Item[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

const note = (content: string, path = 'note.md'): ZipEntry => ({
  path,
  content,
  isCompressed: true,
});

/** As an export: one note refers to each of its files. */
function exportOfManyFiles(): Buffer {
  const files = times(9_800, (n) => `attachments/${newId('fil')}-${n}.txt`);
  const links = files.map((path) => `[a](../${path})`).join('\n');
  return zip([
    { path: 'workspace.yaml', content: 'format: 1\nname: Many\ndescription: ""\n' },
    note(links.slice(0, NOTE_BYTES - KB), 'notes/many.md'),
    ...files.map((path) => ({ path, content: 'x' })),
  ]);
}

/** A PNG of one colour: this many pixels each way in few bytes. */
export function hugePng(sidePixels: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(typed.length + 8);
    framed.writeUInt32BE(data.length, 0);
    typed.copy(framed, 4);
    framed.writeUInt32BE(crc32(typed), typed.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sidePixels, 0);
  header.writeUInt32BE(sidePixels, 4);
  // One bit for each pixel, grey.
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(sidePixels / 8)) * sidePixels));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** By name: what it is, and how it is made. */
export const ARCHIVES: Record<string, [title: string, make: () => Buffer]> = {
  'link-targets': [
    `${NOTES} notes, each one link target of 640 KB`,
    () => {
      const content = `](€${'a'.repeat(NOTE_BYTES - 10)}`;
      return zip([padding(MB), ...times(NOTES, (n) => note(content, `${n}.md`))]);
    },
  ],
  'many-files': ['9,800 files and one note that links to all of them', exportOfManyFiles],
  'many-links': [
    'a note of 60,000 links to 9,800 files',
    () => {
      const files = times(9_800, (n) => ({ path: `${n}.txt`, content: 'x' }));
      return zip([note(times(60_000, (n) => `[](${n % 9_800}.txt)`).join('')), ...files]);
    },
  ],
  bomb: [
    '300 MB of zeros that shrink to 2 MB',
    () => {
      const content = Buffer.alloc(10 * MB);
      const files = times(30, (n) => ({ path: `${n}.bin`, content, isCompressed: true }));
      const links = times(30, (n) => `![[${n}.bin]]`).join(' ');
      return zip([padding(2 * MB), note(links), ...files]);
    },
  ],
  'lying-sizes': [
    'entries that unpack to 10 MB and say that they have one byte',
    () => {
      const content = Buffer.alloc(10 * MB, 'a');
      return zip(
        times(20, (n) => ({ path: `${n}.md`, content, isCompressed: true, sizeBytes: 1 })),
      );
    },
  ],
  'front-matter': [
    '300 notes of front matter that doubles itself',
    () => {
      const nested = times(40, (n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n > 0 ? 9 : 0)}]`);
      const yaml = `---\n${nested.join('\n').slice(0, 4_000)}\n---\ntext`;
      return zip(times(NOTES, (n) => note(yaml, `${n}.md`)));
    },
  ],
  'deep-yaml': [
    '300 notes of front matter 290 levels deep',
    () => {
      const yaml = `---\na: ${'['.repeat(290)}${']'.repeat(290)}\n---\ntext`;
      return zip(times(NOTES, (n) => note(yaml, `${n}.md`)));
    },
  ],
  'tiny-entries': [
    `${ENTRIES_MAX} empty files`,
    () => zip(times(ENTRIES_MAX, (n) => ({ path: `${n}.txt` }))),
  ],
  'duplicate-names': [
    '5,000 files of one name',
    () => zip(times(5_000, () => ({ path: 'same.md', content: 'x' }))),
  ],
  'long-names': [
    '150 entries with names of 60 KB',
    () => zip(times(150, (n) => ({ path: `${n}/${'n'.repeat(60 * KB)}.md`, content: 'x' }))),
  ],
  'deep-folders': [
    '9,000 files 240 folders deep',
    () => zip(times(9_000, (n) => ({ path: `${'a/'.repeat(240)}${n}.txt`, content: 'x' }))),
  ],
  'long-titles': [
    '300 notes of [[titles]] of 600 KB and 60,000 open brackets',
    () => {
      const long = `[[${'t'.repeat(300 * KB)}]] ${'[[a '.repeat(60_000)}${'](('.repeat(20_000)}`;
      return zip([padding(MB), ...times(NOTES, (n) => note(long, `${n}.md`))]);
    },
  ],
  'many-tags': [
    '60 notes of 80,000 #tags each',
    () => {
      const tags = times(80_000, (n) => `#t${n}`)
        .join(' ')
        .slice(0, NOTE_BYTES);
      return zip([padding(MB), ...times(60, (n) => note(tags, `${n}.md`))]);
    },
  ],
  'many-words': [
    '100 notes of 50 KB of words that no other has',
    () =>
      zip(
        times(100, (n) =>
          note(
            randomBytes(25 * KB)
              .toString('hex')
              .replaceAll('0', ' '),
            `${n}.md`,
          ),
        ),
      ),
  ],
  bitmaps: [
    '20 pictures of 400 million pixels each',
    () => {
      const picture = hugePng(20_000);
      const files = times(20, (n) => ({ path: `${n}.png`, content: picture }));
      return zip([note(times(20, (n) => `![](${n}.png)`).join('\n')), ...files]);
    },
  ],
  truncated: [
    'an archive whose second half is missing',
    () => {
      const whole = zip(times(2_000, (n) => note('text', `${n}.md`)));
      return whole.subarray(0, whole.length / 2);
    },
  ],
};
