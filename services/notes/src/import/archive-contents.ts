import { posix } from 'node:path';
import { derivedId, idPattern } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { type ArchiveEntry, bytesOf, RefusedArchive } from './archive.ts';
import { createLinkResolver, rewriteLinks } from './links.ts';
import { readNoteFile, UnreadableNote } from './note-file.ts';
import { cut, textOf } from './note-text.ts';
import { parseYaml } from './parse-yaml.ts';
import { yieldTurn } from '../yield-turn.ts';

export interface ArchivedNote {
  kind: 'note';
  entry: ArchiveEntry;
  /** Its path without what all paths begin with. */
  path: string;
  sourceId: string;
  title: string;
  /** The note beside the folder that it is in, which has the name of the folder. */
  parent?: ArchivedNote;
}

export interface ArchivedFile {
  kind: 'file';
  entry: ArchiveEntry;
  path: string;
  sourceId: string;
  name: string;
}

export interface Skipped {
  path: string;
  reason: string;
}

/** What is in an archive: the same every time it is read. */
export interface ArchiveContents {
  isExport: boolean;
  source: { name: string; description: string } | null;
  notes: ArchivedNote[];
  /** Files that notes refer to. */
  files: ArchivedFile[];
  filesById: ReadonlyMap<string, ArchivedFile>;
  skipped: Skipped[];
  resolve: (from: string, target: string) => ArchivedNote | ArchivedFile | undefined;
}

const NOTE = /\.(md|markdown)$/i;
/** Files of other programs: settings, and what operating systems leave. */
const IGNORED = /(^|\/)(\.[^/]*|__MACOSX|Thumbs\.db)(\/|$)/;
/** Files that an export has beside notes and attachments. */
const ABOUT_EXPORT = ['workspace.yaml', 'missing.yaml'];
const EXPORTED_FILE = new RegExp(`^attachments/(${idPattern('fil')})-(.+)$`);
/** Front matter, and what the names of attachments add to their URLs. */
export const NOTE_EXTRA_BYTES = 128 * 1024;
/** The largest plan's limit, because the owner's plan may change during the import. */
const NOTE_MAX_BYTES = PLAN_LIMITS.pro.noteSizeBytes + NOTE_EXTRA_BYTES;
const SOURCE_MAX_BYTES = 8 * 1024;
const LINKS_MAX = 200_000;

/**
 * Reads a whole archive once, before anything is changed: what is in it, and that all of it is what its
 * directory promises. What it keeps grows with the directory alone, not with the texts of the notes.
 *
 * @param notesMax how many notes can ever fit
 * @throws RefusedArchive
 */
export async function readContents(
  entries: readonly ArchiveEntry[],
  signal: AbortSignal,
  notesMax: number,
): Promise<ArchiveContents> {
  const workspaceFile = entries.find(({ path }) => path === 'workspace.yaml');
  const source = workspaceFile === undefined ? null : await readSource(workspaceFile);
  const isExport = source !== null;
  const paths = pathsWithin(entries, isExport);
  const isNote = (path: string) => NOTE.test(path) && (!isExport || path.startsWith('notes/'));
  if ([...paths.keys()].filter(isNote).length > notesMax) {
    throw new RefusedArchive(`The archive has more than ${notesMax} notes`);
  }
  const notes: ArchivedNote[] = [];
  const skipped: Skipped[] = [];
  const sourceIds = new Set<string>();
  const filesById = new Map<string, ArchivedFile>();
  const pathOf = createLinkResolver(paths.keys());
  const referred = new Set<string>();
  let linkCount = 0;
  const follow = (from: string, target: string): undefined => {
    linkCount += 1;
    if (linkCount > LINKS_MAX) throw new RefusedArchive('The archive has too many links');
    const path = pathOf(from, target);
    if (path !== undefined) referred.add(path);
    return undefined;
  };
  for (const [path, entry] of paths) {
    await yieldTurn();
    signal.throwIfAborted();
    if (!isNote(path)) {
      for await (const _chunk of entry.content()) signal.throwIfAborted();
      const file = toFile(entry, path);
      if (filesById.has(file.sourceId)) skipped.push({ path, reason: 'Another file has its id' });
      else filesById.set(file.sourceId, file);
      continue;
    }
    const note = await readNote(entry, path, isExport, skipped);
    if (note === undefined) continue;
    const { title, sourceId = '', content } = note;
    const isNew = sourceId !== '' && !sourceIds.has(sourceId);
    const id = isNew ? sourceId : derivedId('note', 0, entry.hash);
    sourceIds.add(id);
    notes.push({ kind: 'note', entry, path, sourceId: id, title });
    // The files of an export are referred to, also where only its own links say so.
    if (!isExport) await rewriteLinks(content, ({ target }) => follow(path, target));
  }
  const isUsed = ({ path }: ArchivedFile) =>
    isExport ? EXPORTED_FILE.test(path) : referred.has(path);
  const files = [...filesById.values()];
  nest(notes);
  const byPath = new Map([...notes, ...files].map((item) => [item.path, item]));
  const resolve = (from: string, target: string) => byPath.get(pathOf(from, target) ?? '');
  for (const file of files) {
    const isExpected = isUsed(file) || (isExport && ABOUT_EXPORT.includes(file.path));
    if (!isExpected) skipped.push({ path: file.path, reason: 'No note refers to it' });
  }
  return { isExport, source, notes, files: files.filter(isUsed), filesById, skipped, resolve };
}

/** Finds the parents of notes, and has each of them come before its children. */
function nest(notes: ArchivedNote[]): void {
  const byPath = new Map(notes.map((note) => [note.path, note]));
  for (const note of notes) {
    const parent = byPath.get(`${posix.dirname(note.path)}.md`);
    if (parent !== undefined) note.parent = parent;
  }
  const levelOf = ({ path }: ArchivedNote) => path.split('/').length;
  notes.sort((a, b) => levelOf(a) - levelOf(b));
}

/** Entries by their path, without a folder that holds all of them. */
function pathsWithin(
  entries: readonly ArchiveEntry[],
  isExport: boolean,
): Map<string, ArchiveEntry> {
  const visible = entries.filter(({ path }) => !IGNORED.test(path));
  const [root = ''] = visible[0]?.path.split('/') ?? [];
  const hasRoot = !isExport && visible.every(({ path }) => path.startsWith(`${root}/`));
  const start = hasRoot ? root.length + 1 : 0;
  return new Map(visible.map((entry) => [entry.path.slice(start), entry]));
}

async function readNote(entry: ArchiveEntry, path: string, isExport: boolean, skipped: Skipped[]) {
  if (entry.sizeBytes > NOTE_MAX_BYTES) {
    for await (const _chunk of entry.content());
    skipped.push({ path, reason: 'It is longer than a note may be' });
    return undefined;
  }
  const bytes = await bytesOf(entry);
  try {
    const file = readNoteFile(bytes);
    return { ...textOf(file, path, isExport), sourceId: file.sourceId };
  } catch (error) {
    if (!(error instanceof UnreadableNote)) throw error;
    skipped.push({ path, reason: error.message });
    return undefined;
  }
}

function toFile(entry: ArchiveEntry, path: string): ArchivedFile {
  const [, id = derivedId('fil', 0, entry.hash), name = posix.basename(path)] =
    EXPORTED_FILE.exec(path) ?? [];
  return { kind: 'file', entry, path, sourceId: id, name: name.slice(-200) };
}

/** Null when the file was not written by an export. */
async function readSource(entry: ArchiveEntry) {
  if (entry.sizeBytes > SOURCE_MAX_BYTES) return null;
  const text = (await bytesOf(entry)).toString();
  try {
    const { format, name, description } = Object(parseYaml(text));
    if (format !== 1) return null;
    return { name: cut(String(name), 100), description: cut(String(description), 1000) };
  } catch {
    return null;
  }
}
