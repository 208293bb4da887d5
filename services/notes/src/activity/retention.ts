import { ACTIVITIES_MAX, ACTIVITY_DAYS } from '@atrium/contracts/notes/activity';
import { idBound } from '@atrium/contracts/ids';
import { eraseInBatches } from '@atrium/service-kit/account-data';
import type { Sql } from '@atrium/service-kit/database';

// Raw: Prisma has no limit for changes of many rows.
const PURGE = `
  DELETE FROM activities WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE id < $1 ORDER BY id LIMIT $2
  )) RETURNING id`;
const ERASE_OF_WORKSPACE = `
  DELETE FROM activities WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE workspace_id = $1 LIMIT $2
  )) RETURNING id`;
const FORGET_ACTOR = `
  UPDATE activities SET actor_id = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE actor_id = $1 LIMIT $2
  )) RETURNING id`;
const FORGET_MEMBER = `
  UPDATE activities SET member_id = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE member_id = $1 LIMIT $2
  )) RETURNING id`;

/** In the order in which others lock them, since several batches may make one transaction. */
const FORGET_TITLES = `
  UPDATE activities SET title = NULL, former_title = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM activities
    WHERE note_id = ANY ($1) AND (title IS NOT NULL OR former_title IS NOT NULL) ORDER BY id LIMIT $2
  )) RETURNING id`;

/** The next workspaces, by one index probe each, with the newest entry that is one too many. */
const FIND_SURPLUS = `
  WITH RECURSIVE following AS (
    (SELECT workspace_id, 1 AS number FROM activities WHERE workspace_id > $1
     ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT next.workspace_id, number + 1 FROM following CROSS JOIN LATERAL (
      SELECT workspace_id FROM activities WHERE workspace_id > following.workspace_id
      ORDER BY workspace_id LIMIT 1
    ) next WHERE number < $3::integer
  )
  SELECT workspace_id AS "workspaceId", (
    SELECT id FROM activities WHERE workspace_id = following.workspace_id
    ORDER BY id DESC OFFSET $2 LIMIT 1
  ) AS "newestId" FROM following ORDER BY workspace_id`;
const TRIM = `
  DELETE FROM activities WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE workspace_id = $1 AND id <= $2 ORDER BY id LIMIT $3
  )) RETURNING id`;

/** Deletes the oldest entries of workspaces that have more than `max`. */
export async function trimActivities(
  sql: Sql,
  signal?: AbortSignal,
  { max = ACTIVITIES_MAX, workspacesPerStep = 100 } = {},
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    signal?.throwIfAborted();
    const rows: { workspaceId: string; newestId: string | null }[] = await sql.query(FIND_SURPLUS, [
      after,
      max,
      workspacesPerStep,
    ]);
    for (const { workspaceId, newestId } of rows) {
      if (newestId !== null) await eraseInBatches(sql, TRIM, [workspaceId, newestId], { signal });
    }
    after = rows.at(-1)?.workspaceId;
  }
}

/** Forgets what notes were called, when they are deleted for good. */
export function forgetTitles(sql: Sql, noteIds: string[]): Promise<void> {
  return eraseInBatches(sql, FORGET_TITLES, [noteIds]);
}

export function purgeActivities(
  sql: Sql,
  signal?: AbortSignal,
  clockMs: () => number = Date.now,
): Promise<void> {
  const oldest = idBound('act', clockMs() - ACTIVITY_DAYS * 86_400_000);
  return eraseInBatches(sql, PURGE, [oldest], { signal });
}

export function eraseActivitiesOf(sql: Sql, workspaceId: string): Promise<void> {
  return eraseInBatches(sql, ERASE_OF_WORKSPACE, [workspaceId]);
}

/** Forgets who it was that did something or whom it was about, when that account is erased. */
export async function forgetActor(sql: Sql, accountId: string): Promise<void> {
  await eraseInBatches(sql, FORGET_ACTOR, [accountId]);
  await eraseInBatches(sql, FORGET_MEMBER, [accountId]);
}
