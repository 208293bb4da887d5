import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Sql } from '@atrium/service-kit/database';
import { tokenHash } from '../token-hash.ts';
import { endLogins, REVOCATION_LEEWAY_SECONDS } from './store.ts';

/** A refresh token as it was before the rotation. */
export interface HeldToken {
  sessionId: string;
  accountId: string;
  email: string;
  plan: Plan;
  emailVerified: boolean;
  isRevoked: boolean;
  /** An operator has suspended the account, which revoked its sessions. */
  isSuspended: boolean;
  isExpired: boolean;
  /** The hourly limit was reached, so the token was not rotated. */
  isThrottled: boolean;
  /** The hash of the id of the device that logged in. */
  deviceIdHash: Buffer;
  rotatedAt: Date | null;
  /** When the session ends now. */
  sessionEndsAt: Date;
}

export interface Rotation {
  token: string;
  successor: string;
  ipAddress: string;
  nowMs: number;
  accessTokenTtlSeconds: number;
  /** The new end of the session; null keeps the end set at login. */
  extendToMs: number | null;
  /** Refreshes of a session allowed within an hour; null for no limit. */
  hourlyMax: number | null;
}

/**
 * Used tokens kept per session, besides all of the last day: reuse of a kept token revokes the session.
 * Far more than a session of 7 days needs.
 */
const USED_TOKENS_KEPT = 2000;
const PURGE_LIMIT = 100;
/** More than one session may rotate within the grace period. */
const SUCCESSORS_MAX = 300;

/**
 * A refresh in one statement; raw SQL, because it is a measured hot path. `held` locks the session, so
 * that refreshes and revocations are serialised, and reads the newest rows once it has waited. Nothing
 * changes unless the token was unused.
 */
const ROTATE = `
  WITH held AS (
    SELECT s.id AS session_id, a.id AS account_id, a.email, a.plan, a.suspended_at, a.email_verified_at, s.revoked_at,
           s.device_id_hash, t.rotated_at, s.refresh_count, s.expires_at AS ends_at,
           least(t.expires_at, s.expires_at) AS expires_at
    FROM refresh_tokens t
    JOIN sessions s ON s.id = t.session_id
    JOIN accounts a ON a.id = s.account_id
    WHERE t.hash = $1
    FOR NO KEY UPDATE OF s, t
  ), recent AS (
    SELECT coalesce(count(*) > $7::int, false) AS is_full
    FROM refresh_tokens t JOIN held ON held.session_id = t.session_id
    WHERE t.created_at > $3::timestamptz - interval '1 hour'
  ), live AS (
    SELECT session_id, refresh_count, coalesce($6::timestamptz, expires_at) AS expires_at
    FROM held, recent
    WHERE rotated_at IS NULL AND revoked_at IS NULL AND expires_at > $3 AND NOT is_full
  ), successor AS (
    INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
    SELECT $2, session_id, $3, expires_at FROM live
  ), used AS (
    UPDATE sessions s
    SET last_used_at = $3, ip_address = $4, expires_at = live.expires_at,
        access_expires_at = greatest(s.access_expires_at, least($5, live.expires_at)),
        refresh_count = s.refresh_count + 1
    FROM live WHERE s.id = live.session_id
  ), rotated AS (
    UPDATE refresh_tokens t SET rotated_at = $3, successor_hash = $2 FROM live WHERE t.hash = $1
  ), purged AS (
    DELETE FROM refresh_tokens WHERE hash IN (
      SELECT t.hash FROM live JOIN refresh_tokens t ON t.session_id = live.session_id
      WHERE live.refresh_count >= ${USED_TOKENS_KEPT} AND t.rotated_at IS NOT NULL
        AND t.created_at < $3::timestamptz - interval '1 day'
        AND t.created_at < (
          SELECT kept.created_at FROM refresh_tokens kept WHERE kept.session_id = live.session_id
          ORDER BY kept.created_at DESC OFFSET ${USED_TOKENS_KEPT} LIMIT 1
        )
      LIMIT ${PURGE_LIMIT} FOR UPDATE OF t SKIP LOCKED
    )
  )
  SELECT session_id AS "sessionId", account_id AS "accountId", email, plan,
         suspended_at IS NOT NULL AS "isSuspended",
         email_verified_at IS NOT NULL AS "emailVerified", revoked_at IS NOT NULL AS "isRevoked",
         held.expires_at <= $3 AS "isExpired", is_full AS "isThrottled",
         device_id_hash AS "deviceIdHash", rotated_at AS "rotatedAt",
         coalesce(live.expires_at, ends_at) AS "sessionEndsAt"
  FROM held CROSS JOIN recent LEFT JOIN live USING (session_id)`;

/**
 * Rotates an unused refresh token of an active session.
 *
 * @returns the token as it was before, or undefined when there is none
 */
export async function rotateToken(sql: Sql, rotation: Rotation): Promise<HeldToken | undefined> {
  const { nowMs, extendToMs } = rotation;
  const rows = await sql.query<HeldToken>(ROTATE, [
    tokenHash(rotation.token),
    tokenHash(rotation.successor),
    new Date(nowMs),
    rotation.ipAddress,
    new Date(nowMs + rotation.accessTokenTtlSeconds * 1000),
    extendToMs === null ? null : new Date(extendToMs),
    rotation.hourlyMax,
  ]);
  return rows[0];
}

/**
 * The successor of a rotated token, its successor, and so on, oldest first; at most `SUCCESSORS_MAX`.
 * Raw SQL for the recursion.
 */
export async function listSuccessorHashes(sql: Sql, token: string): Promise<Buffer[]> {
  const rows = await sql.query<{ hash: Buffer }>(
    `WITH RECURSIVE chain AS (
       SELECT successor_hash, 1 AS position FROM refresh_tokens WHERE hash = $1
       UNION ALL
       SELECT t.successor_hash, position + 1
       FROM chain JOIN refresh_tokens t ON t.hash = chain.successor_hash
       WHERE t.successor_hash IS NOT NULL AND position < ${SUCCESSORS_MAX}
     )
     SELECT successor_hash AS hash FROM chain WHERE successor_hash IS NOT NULL ORDER BY position`,
    [tokenHash(token)],
  );
  return rows.map(({ hash }) => hash);
}

/**
 * Deletes expired sessions with their tokens, but not while an access token of theirs may be valid: it
 * could no longer be revoked. Applications that they have logged in to are told. Raw SQL for SKIP LOCKED.
 *
 * @returns the number of deleted rows; equal to `limit` when there may be more
 */
export async function purgeSessions(sql: Sql, nowMs: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `WITH expired AS (
       SELECT id FROM sessions WHERE expires_at <= $1 AND access_expires_at <= $3
       LIMIT $2 FOR UPDATE SKIP LOCKED
     ), ${endLogins('expired')}
     DELETE FROM sessions WHERE id IN (SELECT id FROM expired) RETURNING 1`,
    [new Date(nowMs), limit, new Date(nowMs - REVOCATION_LEEWAY_SECONDS * 1000)],
  );
  return rows.length;
}

/** The same for tokens, which expire before their session when each use extends it. */
export async function purgeRefreshTokens(sql: Sql, nowMs: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM refresh_tokens WHERE hash IN (
       SELECT hash FROM refresh_tokens WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [new Date(nowMs), limit],
  );
  return rows.length;
}
