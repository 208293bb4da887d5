import { eraseInBatches } from '@atrium/service-kit/account-data';
import type { Sql } from '@atrium/service-kit/database';

const WORKSPACES_PER_BATCH = 100;
const ROWS_PER_BATCH = 2000;

const FIND_ORPHANS = `
  SELECT number FROM search_workspaces s
  WHERE NOT EXISTS (SELECT FROM workspaces w WHERE w.id = s.workspace_id) LIMIT $1`;

const FIND_NUMBER = 'SELECT number FROM search_workspaces WHERE workspace_id = $1';

/** Raw: Prisma has no limit for deletions. By ctid, as a batch needs no order. */
const DELETE_ROWS = (table: string) => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE workspace_number = $1 LIMIT $2
  )) RETURNING true AS deleted`;

async function eraseNumber(sql: Sql, number: number): Promise<void> {
  await eraseInBatches(sql, DELETE_ROWS('search_blocks'), [number], { batch: ROWS_PER_BATCH });
  await eraseInBatches(sql, DELETE_ROWS('search_notes'), [number], { batch: ROWS_PER_BATCH });
  await sql.query('DELETE FROM search_workspaces WHERE number = $1', [number]);
}

/** Deletes what the index holds of a workspace, in small transactions. */
export async function eraseIndexOf(sql: Sql, workspaceId: string): Promise<void> {
  const [row] = await sql.query<{ number: number }>(FIND_NUMBER, [workspaceId]);
  if (row !== undefined) await eraseNumber(sql, row.number);
}

/**
 * Deletes what the index holds of workspaces that no longer exist, in small transactions. Searches do
 * not see them from the moment that the workspace is deleted.
 */
export async function eraseOrphans(sql: Sql, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const orphans = await sql.query<{ number: number }>(FIND_ORPHANS, [WORKSPACES_PER_BATCH]);
    if (orphans.length === 0) return;
    for (const { number } of orphans) {
      signal?.throwIfAborted();
      await eraseNumber(sql, number);
    }
  }
}
