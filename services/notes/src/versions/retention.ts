import { limitsOf, PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { eraseInBatches } from '@atrium/service-kit/account-data';
import type { Sql } from '@atrium/service-kit/database';

const VERSIONS_PER_PAGE = 200;
const LEAST_DAYS = Math.min(...Object.values(PLAN_LIMITS).map(({ versionDays }) => versionDays));

/**
 * Raw: by the clock of the database. The current version is never superseded, so it stays. Reads one page of the
 * index, however few of its versions are to be deleted.
 */
const PURGE = `
  WITH page AS MATERIALIZED (
    SELECT id, superseded_at FROM versions
    WHERE superseded_at < now() - make_interval(days => ${LEAST_DAYS})
      AND (superseded_at, id) > ($1::timestamptz, $2)
    ORDER BY superseded_at, id LIMIT $3
  ), purged AS (
    DELETE FROM versions WHERE id = ANY (ARRAY(
      SELECT v.id FROM page JOIN versions v USING (id) JOIN notes n ON n.id = v.note_id
        JOIN workspaces w ON w.id = n.workspace_id JOIN owners o ON o.account_id = w.owner_id
      WHERE v.superseded_at < now() - make_interval(days => ($4::jsonb ->> o.plan)::integer)
      FOR UPDATE OF v SKIP LOCKED
    ))
  )
  SELECT id, superseded_at AS "supersededAt" FROM page ORDER BY superseded_at DESC, id DESC LIMIT 1`;

/** Of a version in the index. */
interface Position {
  id: string;
  supersededAt: Date | '-infinity';
}

/** Deletes versions that were superseded longer ago than the plan of the owner keeps them. */
export async function purgeVersions(
  sql: Sql,
  signal?: AbortSignal,
  perPage = VERSIONS_PER_PAGE,
): Promise<void> {
  let last: Position | undefined = { id: '', supersededAt: '-infinity' };
  while (last !== undefined) {
    signal?.throwIfAborted();
    const values = [last.supersededAt, last.id, perPage, limitsOf('versionDays')];
    const rows: Position[] = await sql.query(PURGE, values);
    last = rows[0];
  }
}

/** Raw: Prisma has no limit for updates. */
const FORGET_AUTHOR = `
  UPDATE versions SET author_id = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM versions WHERE author_id = $1 LIMIT $2
  )) RETURNING id`;

/** Keeps what an erased account wrote in the workspaces of others, without saying who it was. */
export function forgetAuthor(sql: Sql, accountId: string): Promise<void> {
  return eraseInBatches(sql, FORGET_AUTHOR, [accountId]);
}
