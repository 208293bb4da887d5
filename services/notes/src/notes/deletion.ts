import { recordActivities } from '../activity/record.ts';
import type { Tx } from '../database.ts';
import { removeBranchFromIndex, type SizedNote } from '../search-index/branches.ts';
import { branchSql, lockWorkspaceOf } from '../tree/structure.ts';
import { acceptedVersions, type Precondition } from './entity-tag.ts';

/** Raw: in the transaction that has locked the workspace, which comes before the note everywhere. */
const LOCK_TARGET = `
  SELECT id FROM notes WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL
    AND ($3::integer[] IS NULL OR version = ANY ($3::integer[])) FOR UPDATE`;

/** Raw: in the same transaction, with all notes below. */
const DELETE = `
  WITH RECURSIVE ${branchSql('$1', '$2')}, gone AS (
    UPDATE notes SET deleted_at = now(), deleted_by_owner = workspaces.owner_id = $3,
      deleted_with = nullif($2, notes.id)
    FROM branch, workspaces WHERE notes.id = branch.id AND workspaces.id = $1
    RETURNING notes.id AS "noteId", notes.title, text_bytes(notes.content)::float8 AS bytes, branch.level
  ), counted AS (
    UPDATE workspaces SET note_count = note_count - (SELECT count(*)::integer FROM gone)
    WHERE id = $1
  )
  SELECT "noteId", title, bytes FROM gone ORDER BY level, "noteId"`;

interface Deletion {
  id: string;
  accountId: string;
  precondition: Precondition;
}

/**
 * Moves a note, with all below it, to the trash.
 *
 * @returns its workspace and how many notes went; undefined when there is no such note, or another version of it
 */
export async function deleteBranch(
  tx: Tx,
  { id, accountId, precondition }: Deletion,
): Promise<{ workspaceId: string; count: number } | undefined> {
  const workspaceId = await lockWorkspaceOf(tx, id, accountId);
  if (workspaceId === undefined) return undefined;
  const locked = [id, workspaceId, acceptedVersions(precondition)];
  if ((await tx.query(LOCK_TARGET, locked)).length === 0) return undefined;
  const values = [workspaceId, id, accountId];
  const notes = await tx.query<SizedNote & { title: string }>(DELETE, values);
  await removeBranchFromIndex(tx, notes);
  await recordActivities(tx, { kind: 'note.deleted', workspaceId, accountId }, notes);
  return { workspaceId, count: notes.length };
}
