import { openFolderStorage } from '../files/folder.ts';
import { readContents } from './archive-contents.ts';
import { openArchive } from './archive.ts';

// A process of its own: reads an archive, and writes how much it has.
const [folder = '', key = '', sizeBytes] = process.argv.slice(2);
const { signal } = new AbortController();
const file = { key, sizeBytes: Number(sizeBytes) };
const bounds = { unpackedMaxBytes: 10 * 1024 ** 3, signal };
const entries = await openArchive(openFolderStorage(folder), file, bounds);
const { notes, files, skipped } = await readContents(entries, signal, Number.POSITIVE_INFINITY);
const counts = { notes: notes.length, files: files.length, skipped: skipped.length };
process.stdout.write(JSON.stringify(counts));
