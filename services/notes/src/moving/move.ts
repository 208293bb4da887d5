import type { Origin } from '@atrium/service-kit/database';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Access } from '../access/checks.ts';
import { permittedSql } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import { attachFilesOf } from '../attachments/attach-files.ts';
import { moveLinks } from '../backlinks/record.ts';
import type { Database } from '../database.ts';
import { acceptedVersions, type Precondition } from '../notes/entity-tag.ts';
import { assertNoteFits, workspaceFull } from '../notes/note-size.ts';
import { rejectionOf } from '../notes/precondition.ts';
import { noteColumns, type NoteRecord } from '../notes/store.ts';
import { addToIndex, removeFromIndex } from '../search-index/store.ts';
import { assertStorageFits } from '../storage-use/store.ts';

/** Raw: locks both workspaces before the note, as every other writer does, to avoid deadlocks. */
const LOCK_WORKSPACES = `
  SELECT id, owner_id AS "ownerId", note_count AS "noteCount" FROM workspaces
  WHERE id = ANY ($1::text[]) AND ${permittedSql('$2', 'writeNotes')} ORDER BY id FOR UPDATE`;

/** Raw: in the transaction of LOCK_WORKSPACES. When its text was changed last stays as it was. */
const MOVE = `
  UPDATE notes SET workspace_id = $3, version = version + 1
  WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL
    AND ($4::integer[] IS NULL OR version = ANY ($4::integer[]))
  RETURNING ${noteColumns('$5')}`;

/** Raw: in the same transaction. Favourites are of notes that their account may read. */
const REMOVE_FAVOURITES = `
  DELETE FROM favourites WHERE note_id = $1
    AND account_id NOT IN (SELECT account_id FROM members WHERE workspace_id = $2)`;

const COUNT = 'UPDATE workspaces SET note_count = note_count + $2 WHERE id = $1';

interface LockedWorkspace {
  id: string;
  ownerId: string | null;
  noteCount: number;
}

interface Move {
  noteId: string;
  accountId: string;
  /** The workspace that has the note. */
  from: string;
  to: Access;
  precondition: Precondition;
  origin: Origin;
}

/**
 * Moves a note with its versions, its public link and its files to another workspace.
 *
 * @throws HttpError 403 when the plan of the other workspace does not allow it there, or an editor would take it
 * from the owner; 404 when one of the workspaces cannot be written to any more; 412 when the note is not as it
 * was read
 */
export function moveNote(
  database: Database,
  { noteId, accountId, from, to, precondition, origin }: Move,
): Promise<NoteRecord> {
  return database.transaction(origin, async (tx) => {
    const ids = [from, to.workspaceId];
    const locked = await tx.query<LockedWorkspace>(LOCK_WORKSPACES, [ids, accountId]);
    const source = locked.find(({ id }) => id === from);
    const target = locked.find(({ id }) => id === to.workspaceId);
    if (source === undefined || target === undefined) throw notFound('Workspace');
    // As with the trash: an editor can take nothing from its owner for good.
    if (source.ownerId !== accountId && source.ownerId !== target.ownerId) {
      throw new HttpError('owner-only');
    }
    if (target.noteCount >= to.limits.notesPerWorkspace) throw workspaceFull(to);
    const values = [noteId, from, to.workspaceId, acceptedVersions(precondition), accountId];
    const [note] = await tx.query<NoteRecord>(MOVE, values);
    if (note === undefined) throw rejectionOf({ kind: 'stale' });
    assertNoteFits(note.content, to.limits);
    await tx.query(COUNT, [from, -1]);
    await tx.query(COUNT, [to.workspaceId, 1]);
    await tx.query(REMOVE_FAVOURITES, [note.id, to.workspaceId]);
    await attachFilesOf(tx, note.id, from, to.workspaceId);
    await assertStorageFits(tx, to.workspaceId);
    if (!note.isTemplate) {
      await removeFromIndex(tx, note.id);
      await addToIndex(tx, note);
      await moveLinks(tx, note);
    }
    for (const workspaceId of ids) {
      const { title } = note;
      await recordActivity(tx, { kind: 'note.moved', workspaceId, accountId, noteId, title });
    }
    return note;
  });
}
