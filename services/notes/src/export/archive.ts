import { stringify } from 'yaml';
import type { FileStorage } from '../files/storage.ts';
import { createFileNames, filesOf, pathOfFile, toMarkdown } from './markdown.ts';
import type { ExportedFile, ExportStore } from './store.ts';
import type { ZipEntry } from './zip.ts';

const FORMAT = 1;

/** The files of the archive of a workspace: itself, its notes, and the attachments they refer to. */
export async function* archiveOf(
  workspace: { id: string; name: string; description: string },
  exports: ExportStore,
  storage: FileStorage,
): AsyncGenerator<ZipEntry> {
  yield {
    path: 'workspace.yaml',
    content: Buffer.from(stringify({ format: FORMAT, ...workspace })),
  };
  const nameOf = createFileNames();
  const files = new Map<string, ExportedFile>();
  for await (const notes of exports.notes(workspace.id)) {
    const ids = [...new Set(notes.flatMap(filesOf))].filter((id) => !files.has(id));
    for (const file of await exports.files(workspace.id, ids)) files.set(file.id, file);
    for (const note of notes) {
      yield { path: `notes/${nameOf(note.title)}`, content: Buffer.from(toMarkdown(note, files)) };
    }
  }
  for (const file of [...files.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    yield { path: pathOfFile(file), content: await storage.read(file.id) };
  }
}
