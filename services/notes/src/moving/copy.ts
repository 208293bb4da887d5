import { notFound } from '@atrium/service-kit/http-error';
import type { Access } from '../access/checks.ts';
import { attachFilesOf } from '../attachments/attach-files.ts';
import type { Tx } from '../database.ts';
import { assertNoteFits, workspaceFull } from '../notes/note-size.ts';
import { type NoteRecord, type NoteStore, readNote } from '../notes/store.ts';
import { assertStorageFits } from '../storage-use/store.ts';

interface Copy {
  noteId: string;
  accountId: string;
  to: Access;
  isTemplate: boolean;
}

/**
 * Copies the text and the tags of a note, with the files that it refers to. The copy has a history of its own
 * and is private; in the same workspace it has the same parent. Notes below are not copied.
 *
 * @throws HttpError 403 when the plan of the other workspace does not allow it there; 404 when the note cannot be
 * read or the workspace not be written to any more
 */
export async function copyNote(
  tx: Tx,
  notes: NoteStore,
  { noteId, accountId, to, isTemplate }: Copy,
): Promise<NoteRecord> {
  const source = await readNote(tx, noteId, accountId);
  if (source === null) throw notFound('Note');
  const { title, content, tags, workspaceId: from } = source;
  const parentId = from === to.workspaceId && !isTemplate ? source.parentId : null;
  assertNoteFits(Buffer.byteLength(content, 'utf8'), to.limits);
  const input = { title, content, tags, pinned: false, isTemplate, parentId };
  const limit = to.limits.notesPerWorkspace;
  const outcome = await notes.create(tx, to.workspaceId, accountId, input, limit);
  if (outcome.kind === 'missing') throw notFound('Workspace');
  if (outcome.kind === 'full') throw workspaceFull(to);
  await attachFilesOf(tx, [outcome.note.id], from, to.workspaceId);
  await assertStorageFits(tx, to.workspaceId);
  return outcome.note;
}
