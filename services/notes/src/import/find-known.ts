import type { Sql } from '@atrium/service-kit/database';

const IDS_PER_QUERY = 1000;

/** Raw: Prisma has no unions. The id of a note here, or the one that it was imported with. */
const FIND_NOTES = `
  SELECT id, source_id AS "sourceId", deleted_at IS NOT NULL AS "isTrashed" FROM notes
  WHERE workspace_id = $1 AND source_id = ANY ($2)
  UNION ALL
  SELECT id, id, deleted_at IS NOT NULL FROM notes WHERE workspace_id = $1 AND id = ANY ($2)`;
const FIND_FILES = `
  WITH attached AS (
    SELECT id, source_id FROM attachments
    JOIN attachment_workspaces ON attachment_workspaces.attachment_id = attachments.id
    WHERE attachment_workspaces.workspace_id = $1 AND stored_at IS NOT NULL
  )
  SELECT id, source_id AS "sourceId" FROM attached WHERE source_id = ANY ($2)
  UNION ALL
  SELECT id, id FROM attached WHERE id = ANY ($2)`;

export interface Known {
  id: string;
  /** Only of notes. */
  isTrashed?: boolean;
}

/** What a workspace already has of an archive, by the ids that the archive gives. */
export async function findKnown(
  sql: Sql,
  kind: 'notes' | 'files',
  workspaceId: string,
  sourceIds: readonly string[],
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (let start = 0; start < sourceIds.length; start += IDS_PER_QUERY) {
    const some = sourceIds.slice(start, start + IDS_PER_QUERY);
    const rows = await sql.query<Known & { sourceId: string }>(
      kind === 'notes' ? FIND_NOTES : FIND_FILES,
      [workspaceId, some],
    );
    for (const { sourceId, ...row } of rows) known.set(sourceId, row);
  }
  return known;
}
