import { stringify } from 'yaml';
import { MissingFile, type FileStorage } from '../files/storage.ts';
import { filesOf, linkedNotesOf, pathOfFile, toMarkdown } from './markdown.ts';
import { pathsOfNotes } from './note-paths.ts';
import type { ExportStore } from './store.ts';
import type { ZipEntry } from './zip.ts';

const FORMAT = 1;
const PAGE_MAX_NOTES = 20;
/** One note may have as many. */
const PAGE_MAX_BYTES = 500_000;

/**
 * The files of the archive of a workspace: itself, its notes, and the attachments they refer to.
 *
 * @param requireAccess asked before what follows is read, since a slow client takes an archive for hours
 */
export async function* archiveOf(
  workspace: { id: string; name: string; description: string },
  exports: ExportStore,
  storage: FileStorage,
  requireAccess: () => Promise<unknown>,
): AsyncGenerator<ZipEntry> {
  const { id: workspaceId, ...described } = workspace;
  yield {
    path: 'workspace.yaml',
    content: Buffer.from(stringify({ format: FORMAT, ...described })),
  };
  const outline = await exports.outline(workspaceId);
  const notePaths = pathsOfNotes(outline);
  const bytes = new Map(outline.map((note) => [note.id, note.bytes]));
  const noteIdOf = createExportedIds();
  const fileIdOf = createExportedIds();
  const paths = new Map<string, string>();
  for (const page of pagesOf(notePaths.keys(), bytes)) {
    await requireAccess();
    const notes = await exports.notes(workspaceId, page);
    const ids = [...new Set(notes.flatMap(filesOf))].filter((id) => !paths.has(id));
    for (const file of await exports.files(workspaceId, ids)) {
      paths.set(file.id, pathOfFile(fileIdOf(file), file.name));
    }
    const sources = await exports.sources(workspaceId, notes.flatMap(linkedNotesOf));
    const links = new Map(sources.map(({ id, sourceId }) => [id, sourceId]));
    const formerLinks = await exports.formerLinks(workspaceId, page);
    for (const note of notes) {
      const titles = new Map(
        formerLinks
          .filter(({ noteId }) => noteId === note.id)
          .map(({ name, title }) => [name, title]),
      );
      const path = notePaths.get(note.id) ?? '';
      const text = toMarkdown({ ...note, id: noteIdOf(note) }, { path, paths, links, titles });
      yield { path, content: Buffer.from(text) };
    }
  }
  const missing: string[] = [];
  for (const [id, path] of [...paths].toSorted(([, a], [, b]) => (a < b ? -1 : 1))) {
    await requireAccess();
    const content = await storage.read(id).catch((error: unknown) => {
      if (!(error instanceof MissingFile)) throw error;
      missing.push(path);
    });
    if (content) yield { path, content };
  }
  if (missing.length > 0) yield { path: 'missing.yaml', content: Buffer.from(stringify(missing)) };
}

/** Ids of notes that are in memory together while a client takes them, in their order. */
function* pagesOf(ids: Iterable<string>, bytes: ReadonlyMap<string, number>): Generator<string[]> {
  let page: string[] = [];
  let pageBytes = 0;
  for (const id of ids) {
    const noteBytes = bytes.get(id) ?? 0;
    if (
      page.length === PAGE_MAX_NOTES ||
      (page.length > 0 && pageBytes + noteBytes > PAGE_MAX_BYTES)
    ) {
      yield page;
      page = [];
      pageBytes = 0;
    }
    page.push(id);
    pageBytes += noteBytes;
  }
  if (page.length > 0) yield page;
}

/** Gives what was imported the id that it had then, so that it is recognized; but each id only once. */
function createExportedIds(): (row: { id: string; sourceId: string | null }) => string {
  const taken = new Set<string>();
  return ({ id, sourceId }) => {
    const exported = sourceId === null || taken.has(sourceId) ? id : sourceId;
    taken.add(exported);
    return exported;
  };
}
