import type { Sql } from '@atrium/service-kit/database';
import type { Access } from '../members/access.ts';
import { findFilesOf } from './references.ts';
import { readUsedBytes } from './store.ts';
import { storageFull } from './upload.ts';

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
 * @throws HttpError 403 when that owner has no space for them
 */
export async function attachFilesOf(
  tx: Sql,
  noteId: string,
  from: string,
  { workspaceId, ownerId, limits }: Access & { ownerId: string },
): Promise<void> {
  const fileIds = await findFilesOf(tx, [noteId]);
  if (fileIds.size === 0) return;
  const before = await readUsedBytes(tx, ownerId);
  await tx.query(ATTACH, [from, [...fileIds], workspaceId]);
  const after = await readUsedBytes(tx, ownerId);
  if (after > before && after > limits.storageBytes) throw storageFull(limits);
}
