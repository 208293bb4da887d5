import {
  REVOKED_SESSIONS_PAGE_SIZE,
  type RevokedSessionsPage,
} from '@atrium/contracts/auth/revoked-sessions';
import type { Sql } from '@atrium/service-kit/database';

/** Postgres reads a transaction id with a leading zero as octal. */
const TRANSACTION_ID = '(0|[1-9][0-9]{0,18})';
/** `since`, and within a reading of several pages also its horizon and the digest read last. */
export const CURSOR_PATTERN = `^${TRANSACTION_ID}(\\.${TRANSACTION_ID}\\.[0-9a-f]{64})?$`;

/**
 * One page of the revoked sessions that still have access tokens or portal links.
 *
 * A cursor is a transaction id below which every transaction had ended when the list was last read,
 * so that a late commit is not missed; a timestamp or a sequence number is drawn before the commit.
 * A cursor from a database that was since restored from a backup reads everything.
 */
export async function readRevokedSessions(
  sql: Sql,
  cursor: string | undefined,
  nowMs: number,
): Promise<RevokedSessionsPage> {
  const [since = '0', firstHorizon, after = ''] = cursor?.split('.') ?? [];
  // Raw: Prisma knows no transaction ids.
  const rows = await sql.query<{ digest: string; expiresAt: Date; horizon: string }>(
    `SELECT digest, expires_at AS "expiresAt", pg_snapshot_xmin(snapshot)::text AS horizon
     FROM pg_current_snapshot() AS snapshot, revoked_sessions,
          encode(sha256(convert_to(session_id, 'UTF8')), 'hex') AS digest
     WHERE made_by >= CASE WHEN $1::xid8 <= pg_snapshot_xmin(snapshot) THEN $1::xid8 ELSE '0' END
       AND expires_at > $2 AND digest > $3 COLLATE "C"
     ORDER BY digest COLLATE "C" LIMIT $4`,
    [since, new Date(nowMs), after, REVOKED_SESSIONS_PAGE_SIZE],
  );
  const last = rows.at(-1);
  const horizon = firstHorizon ?? last?.horizon ?? since;
  const hasMore = rows.length === REVOKED_SESSIONS_PAGE_SIZE;
  return {
    sessions: rows.map(({ digest, expiresAt }) => ({ digest, expiresAtMs: expiresAt.getTime() })),
    nextCursor: hasMore ? `${since}.${horizon}.${last?.digest}` : horizon,
    hasMore,
  };
}

/** @returns how many went; as many as `limit` when there may be more */
export async function purgeRevokedSessions(
  sql: Sql,
  nowMs: number,
  limit: number,
): Promise<number> {
  // Raw: Prisma has neither a limit for deletions nor SKIP LOCKED.
  const rows = await sql.query(
    `DELETE FROM revoked_sessions WHERE session_id IN (
       SELECT session_id FROM revoked_sessions WHERE expires_at <= $1
       LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [new Date(nowMs), limit],
  );
  return rows.length;
}
