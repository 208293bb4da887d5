import type { Origin } from '@atrium/service-kit/database';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Access } from '../access/checks.ts';
import { permittedSql } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import { attachFilesOf } from '../attachments/attach-files.ts';
import { moveLinks } from '../backlinks/record.ts';
import type { Database, Tx } from '../database.ts';
import { accepts, type Precondition } from '../notes/entity-tag.ts';
import { assertNoteFits, workspaceFull } from '../notes/note-size.ts';
import { rejectionOf } from '../notes/precondition.ts';
import { type NoteRecord, readNote } from '../notes/store.ts';
import {
  addBranchToIndex,
  removeBranchFromIndex,
  type SizedNote,
} from '../search-index/branches.ts';
import { assertStorageFits } from '../storage-use/store.ts';
import { findBranch, lastPositionSql } from '../tree/structure.ts';

/** Raw: locks both workspaces before the note, as every other writer does, to avoid deadlocks. */
const LOCK_WORKSPACES = `
  SELECT id, owner_id AS "ownerId", note_count AS "noteCount" FROM workspaces
  WHERE id = ANY ($1::text[]) AND ${permittedSql('$2', 'writeNotes')} ORDER BY id FOR UPDATE`;

/** Raw: in the same transaction. What they say does not change while their files are looked for. */
const LOCK_NOTES = 'SELECT id, version FROM notes WHERE id = ANY ($1) ORDER BY id FOR UPDATE';

/** So that a statement ends within its timeout: it also counts their versions. */
const NOTES_PER_BATCH = 100;

/** Raw: in the same transaction. When their text was changed last stays as it was. */
const MOVE = `
  UPDATE notes SET workspace_id = $2, version = version + 1 WHERE id = ANY ($1)
  RETURNING id AS "noteId", octet_length(content) AS "contentBytes", text_bytes(content)::float8 AS bytes`;

/** Raw: in the same transaction, once the note is there. */
const TO_FIRST_LEVEL = `
  UPDATE notes SET parent_id = NULL, position = ${lastPositionSql('$2', 'NULL')} WHERE id = $1`;

/** Raw: in the same transaction. Favourites are of notes that their account may read. */
const REMOVE_FAVOURITES = `
  DELETE FROM favourites WHERE note_id = ANY ($1)
    AND account_id NOT IN (SELECT account_id FROM members WHERE workspace_id = $2)`;

const COUNT = 'UPDATE workspaces SET note_count = note_count + $2 WHERE id = $1';

interface LockedWorkspace {
  id: string;
  ownerId: string | null;
  noteCount: number;
}

type MovedNote = SizedNote & { contentBytes: number };

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
 * Moves a note to another workspace, with all below it, and their versions, public links and files.
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
    const { ids: noteIds } = await findBranch(tx, from, noteId);
    if (noteIds.length === 0) throw notFound('Note');
    if (target.noteCount + noteIds.length > to.limits.notesPerWorkspace) throw workspaceFull(to);
    const notes = await tx.query<{ id: string; version: number }>(LOCK_NOTES, [noteIds]);
    const isAsRead = notes.some(
      ({ id, version }) => id === noteId && accepts(precondition, version),
    );
    if (!isAsRead) throw rejectionOf({ kind: 'stale' });
    // May read gigabytes of text: before the first note moves, which makes all saves of both owners wait.
    await attachFilesOf(tx, noteIds, from, to.workspaceId);
    const branch = await moveNotes(tx, noteIds, to);
    await removeBranchFromIndex(tx, branch);
    await addBranchToIndex(tx, to.workspaceId, branch);
    await moveLinks(tx, noteIds, to.workspaceId);
    await tx.query(TO_FIRST_LEVEL, [noteId, to.workspaceId]);
    await tx.query(COUNT, [from, -noteIds.length]);
    await tx.query(COUNT, [to.workspaceId, noteIds.length]);
    await assertStorageFits(tx, to.workspaceId);
    const moved = await readNote(tx, noteId, accountId);
    if (moved === null) throw notFound('Note');
    const { title } = moved;
    for (const workspaceId of ids) {
      await recordActivity(tx, { kind: 'note.moved', workspaceId, accountId, noteId, title });
    }
    return moved;
  });
}

/** Moves the notes of a branch. The search index and the links follow. */
async function moveNotes(tx: Tx, noteIds: readonly string[], to: Access): Promise<MovedNote[]> {
  const moved: MovedNote[] = [];
  for (let at = 0; at < noteIds.length; at += NOTES_PER_BATCH) {
    const ids = noteIds.slice(at, at + NOTES_PER_BATCH);
    const notes = await tx.query<MovedNote>(MOVE, [ids, to.workspaceId]);
    for (const { contentBytes } of notes) assertNoteFits(contentBytes, to.limits);
    await tx.query(REMOVE_FAVOURITES, [ids, to.workspaceId]);
    moved.push(...notes);
  }
  return moved;
}
