import type { Sql } from '@atrium/service-kit/database';
import { findFilesOf } from './references.ts';
import { readUsedBytes } from './store.ts';

/** Raw: Prisma has no locks. What is attached cannot be detached meanwhile. */
const ATTACH = `
  WITH attached AS (
    SELECT attachment_id FROM attachment_workspaces
    WHERE workspace_id = $1 AND attachment_id = ANY ($2) FOR SHARE
  )
  INSERT INTO attachment_workspaces (workspace_id, attachment_id)
  SELECT $3, attachment_id FROM attached
  ON CONFLICT (workspace_id, attachment_id) DO UPDATE SET unused_since = NULL
  RETURNING attachment_id`;

/**
 * Attaches the files that a note and its versions refer to, to another workspace. They stay where they were
 * too, until no note there has referred to them for a week.
 *
 * @param tx has locked the owner of the other workspace, so that files are counted one after another
 * @returns full when the files of that owner would have more than `limitBytes`
 */
export async function attachFilesOf(
  tx: Sql,
  noteId: string,
  { from, to }: { from: string; to: { id: string; ownerId: string } },
  limitBytes: number,
): Promise<'attached' | 'full'> {
  const fileIds = await findFilesOf(tx, [noteId]);
  if (fileIds.size === 0) return 'attached';
  const before = await readUsedBytes(tx, to.ownerId);
  await tx.query(ATTACH, [from, [...fileIds], to.id]);
  const after = await readUsedBytes(tx, to.ownerId);
  return after > before && after > limitBytes ? 'full' : 'attached';
}
