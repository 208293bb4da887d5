import type { Database } from '../database.ts';

// Raw SQL: leases by the clock of the database.

const LEASE_SECONDS = 15;
export const COLUMNS = `
  id, workspace_id AS "workspaceId", state, total, done, created, unchanged, skipped,
  skipped_count AS "skippedCount", source_name AS "sourceName",
  source_description AS "sourceDescription", error, created_at AS "createdAt",
  finished_at AS "finishedAt"`;
export const LEASED_UNTIL = `now() + make_interval(secs => ${LEASE_SECONDS})`;

/** While no other one of the account is running. */
const CAN_BE_LEASED = `
  finished_at IS NULL AND state IN ('waiting', 'running') AND workspace_id IS NOT NULL
  AND leased_until <= now() AND NOT EXISTS (
    SELECT FROM imports AS other
    WHERE other.account_id = imports.account_id AND other.leased_until > now() AND other.is_leased
  )`;

/** Workers choose one after the other, so that two do not choose two of one account. */
const LOCK_QUEUE = `SELECT pg_advisory_xact_lock(hashtextextended('imports', 0))`;

/** Counted as interrupted until it is finished or released, as it may end the process. */
const LEASE = `
  UPDATE imports SET attempt = attempt + 1, is_leased = true, leased_until = ${LEASED_UNTIL},
    interruptions = interruptions + is_leased::integer
  WHERE id = (
    SELECT id FROM imports WHERE ${CAN_BE_LEASED}
    ORDER BY (
      SELECT max(leased_until) FROM imports AS past
      WHERE past.account_id = imports.account_id AND past.attempt > 0
    ) NULLS FIRST, leased_until, id
    LIMIT 1
  )
  RETURNING ${COLUMNS}, account_id AS "accountId", size_bytes::float8 AS "sizeBytes", attempt,
    interruptions`;
const FIND_WAITING = `SELECT id FROM imports WHERE account_id <> $1 AND ${CAN_BE_LEASED} LIMIT 1`;

/** Leases the next import, or null when none waits. */
export function leaseNext<Leased extends object>(database: Database): Promise<Leased | null> {
  return database.transaction({ job: 'import' }, async (tx) => {
    await tx.query(LOCK_QUEUE);
    const [leased] = await tx.query<Leased>(LEASE);
    return leased ?? null;
  });
}

/** Whether an import of another account could be leased. */
export async function isAnyWaiting(database: Database, accountId: string): Promise<boolean> {
  return (await database.query(FIND_WAITING, [accountId])).length > 0;
}
