import type { RevokedSessionBatch } from '@atrium/contracts/revoked-sessions';
import type { Sql } from '@atrium/service-kit/database';

/** Before every transaction. */
export const FROM_THE_START = '0';
const PAGE_SIZE = 500;

interface RevocationPage {
  batch: RevokedSessionBatch;
  /**
   * Where to read on the next time. Every transaction before it has ended, so none of what it wrote
   * can still appear: transaction ids order what a timestamp or a sequence could not, for those are
   * drawn before the commit.
   */
  horizon: string;
}

/** RevokedSessions of transactions from `since` on that are still needed, by session id. */
async function readRevokedSessions(
  sql: Sql,
  page: { since: string; afterId: string; nowMs: number; limit: number },
): Promise<RevocationPage> {
  const rows = await sql.query<{ sessionId: string; expiresAt: Date; horizon: string }>(
    `SELECT session_id AS "sessionId", expires_at AS "expiresAt",
            pg_snapshot_xmin(pg_current_snapshot())::text AS horizon
     FROM revoked_sessions
     WHERE made_by >= $1::xid8 AND expires_at > $2 AND session_id > $3
     ORDER BY session_id LIMIT $4`,
    [page.since, new Date(page.nowMs), page.afterId, page.limit],
  );
  return {
    batch: rows.map(({ sessionId, expiresAt }) => [sessionId, expiresAt.getTime()]),
    horizon: rows[0]?.horizon ?? page.since,
  };
}

/** The same from the first to the last, in pages that are not empty. */
export async function* revocationPages(
  sql: Sql,
  since: string,
  nowMs: number,
): AsyncGenerator<RevocationPage, void> {
  let afterId: string | undefined = '';
  while (afterId !== undefined) {
    const page = await readRevokedSessions(sql, { since, afterId, nowMs, limit: PAGE_SIZE });
    if (page.batch.length > 0) {
      yield page;
    }
    afterId = page.batch.length < PAGE_SIZE ? undefined : page.batch.at(-1)?.[0];
  }
}

/** @returns how many went; as many as `limit` when there may be more */
export async function purgeRevokedSessions(
  sql: Sql,
  nowMs: number,
  limit: number,
): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM revoked_sessions WHERE session_id IN (
       SELECT session_id FROM revoked_sessions WHERE expires_at <= $1
       LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [new Date(nowMs), limit],
  );
  return rows.length;
}
