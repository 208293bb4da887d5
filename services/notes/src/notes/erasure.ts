import { eraseInBatches } from '@atrium/service-kit/account-data';
import type { Sql } from '@atrium/service-kit/database';
import { forgetTitles } from '../activity/retention.ts';
import type { Database } from '../database.ts';
import { lockStorageOf } from '../storage-use/store.ts';

const NOTES_PER_BATCH = 100;
/** Each may have half a megabyte. */
const VERSIONS_PER_BATCH = 500;
/** Meanwhile its owner can save nothing. */
const VERSIONS_PER_TRANSACTION = 1000;

/** Raw: the first of some notes, as many as have a thousand versions, but at least one. */
const BOUND = `
  SELECT id FROM (
    SELECT id, place, sum(versions) OVER (ORDER BY place) - versions AS before
    FROM unnest($1::text[]) WITH ORDINALITY AS chosen (id, place) CROSS JOIN LATERAL (
      SELECT count(*) AS versions FROM versions WHERE note_id = chosen.id
    ) AS counted
  ) AS bounded WHERE before < $2 ORDER BY place`;

/** Raw: Prisma has no limit for deletions. */
const ERASE_VERSIONS = `
  DELETE FROM versions WHERE id = ANY (ARRAY(
    SELECT id FROM versions WHERE note_id = ANY ($1) LIMIT $2
  )) RETURNING id`;

/**
 * Deletes some notes for good, and their titles from the activity. Their versions go first, in statements of
 * their own, as a note may have a thousand.
 *
 * @param choose selects the ids and locks the rows; its last parameter is how many
 * @returns how many were deleted
 */
export function eraseSomeNotes(
  database: Database,
  choose: string,
  values: readonly unknown[],
): Promise<number> {
  return database.transaction({ job: 'erase-notes' }, async (tx) => {
    const chosen = await tx.query<{ id: string }>(choose, [...values, NOTES_PER_BATCH]);
    if (chosen.length === 0) return 0;
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
    const ids = idsOf(await tx.query(BOUND, [idsOf(chosen), VERSIONS_PER_TRANSACTION]));
    await lockStorageOf(tx, ids);
    await eraseInBatches(tx, ERASE_VERSIONS, [ids], { batch: VERSIONS_PER_BATCH });
    await tx.query('DELETE FROM notes WHERE id = ANY ($1)', [ids]);
    await forgetTitles(tx, ids);
    return ids.length;
  });
}

/** The same until there are none left. @returns how many were deleted */
export async function eraseNotes(
  database: Database,
  choose: string,
  values: readonly unknown[],
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const erased = await eraseSomeNotes(database, choose, values);
    if (erased === 0) return count;
    count += erased;
  }
}

/** Raw: Prisma has no locks. Skips what another writer holds, such as one that restores it. */
const CHOOSE_SURPLUS = `
  SELECT id FROM notes WHERE deleted_at IS NOT NULL AND id = ANY (ARRAY(
    SELECT id FROM notes WHERE workspace_id = $1 AND deleted_at IS NOT NULL AND deleted_by_owner
    ORDER BY deleted_at DESC, id DESC OFFSET $2 LIMIT $3
  )) FOR UPDATE SKIP LOCKED`;

/** Deletes for good what is more than `limit` notes that the owner of a workspace has deleted, the oldest first. */
export async function trimTrash(
  database: Database,
  workspaceId: string,
  limit: number,
): Promise<void> {
  await eraseNotes(database, CHOOSE_SURPLUS, [workspaceId, limit]);
}

/** Raw: counts no further than the limit. */
const FIRST_BEYOND_LIMIT = `
  SELECT FROM notes WHERE workspace_id = $1 AND deleted_at IS NOT NULL AND NOT deleted_by_owner
  OFFSET $2::integer LIMIT 1`;

/** Whether editors have deleted more than `limit` notes of a workspace, which the transaction has locked. */
export async function exceedsTrash(tx: Sql, workspaceId: string, limit: number): Promise<boolean> {
  return (await tx.query(FIRST_BEYOND_LIMIT, [workspaceId, limit])).length > 0;
}
