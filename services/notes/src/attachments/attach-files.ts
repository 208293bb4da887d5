import type { Sql } from '@atrium/service-kit/database';
import { findFilesOf } from './references.ts';

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
 * Attaches the files that some notes and their versions refer to, to another workspace, where they count too. They stay
 * where they were, until no note there has referred to them for a week.
 */
export async function attachFilesOf(
  tx: Sql,
  noteIds: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  const fileIds = new Set<string>();
  for (const noteId of noteIds) {
    for (const id of await findFilesOf(tx, from, [noteId])) fileIds.add(id);
  }
  if (fileIds.size > 0) await tx.query(ATTACH, [from, [...fileIds], to]);
}
