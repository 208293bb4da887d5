import type { Plan } from '@atrium/contracts/tokens';
import type { Database, Sql } from '@atrium/service-kit/database';
import { hashRefreshToken } from './refresh-token.ts';

/** A refresh token as it was before the attempt to rotate it. */
export interface HeldToken {
  sessionId: string;
  accountId: string;
  plan: Plan;
  emailVerified: boolean;
  isRevoked: boolean;
  isExpired: boolean;
  successorHash: Buffer | null;
  rotatedAt: Date | null;
}

export interface Rotation {
  token: string;
  successor: string;
  ipAddress: string;
  nowMs: number;
  accessTokenTtlSeconds: number;
  /** When a session that is used now ends anew; null keeps the end it was given at login. */
  extendToMs: number | null;
}

/**
 * The whole of a refresh in one statement. `held` locks the session, so that a refresh and a
 * revocation take turns, and reads what the one before has left: waiting for a lock in Postgres
 * ends with the newest row. The rest changes nothing unless the token was still unused.
 */
const ROTATE = `
  WITH held AS (
    SELECT s.id AS session_id, a.id AS account_id, a.plan, a.email_verified_at, s.revoked_at,
           t.successor_hash, t.rotated_at, least(t.expires_at, s.expires_at) AS expires_at
    FROM refresh_tokens t
    JOIN sessions s ON s.id = t.session_id
    JOIN accounts a ON a.id = s.account_id
    WHERE t.hash = $1
    FOR NO KEY UPDATE OF s, t
  ), live AS (
    SELECT session_id, coalesce($6::timestamptz, expires_at) AS expires_at FROM held
    WHERE rotated_at IS NULL AND revoked_at IS NULL AND expires_at > $3
  ), successor AS (
    INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
    SELECT $2, session_id, $3, expires_at FROM live
  ), used AS (
    UPDATE sessions s
    SET last_used_at = $3, ip_address = $4, access_expires_at = $5, expires_at = live.expires_at
    FROM live WHERE s.id = live.session_id
  ), rotated AS (
    UPDATE refresh_tokens t SET rotated_at = $3, successor_hash = $2 FROM live WHERE t.hash = $1
  )
  SELECT session_id AS "sessionId", account_id AS "accountId", plan,
         email_verified_at IS NOT NULL AS "emailVerified", revoked_at IS NOT NULL AS "isRevoked",
         expires_at <= $3 AS "isExpired", successor_hash AS "successorHash",
         rotated_at AS "rotatedAt"
  FROM held`;

/**
 * Rotates a refresh token that was not used yet, of a session that lives.
 *
 * @returns the token as it was before; undefined when there is none
 */
export async function rotateToken(
  database: Database,
  rotation: Rotation,
): Promise<HeldToken | undefined> {
  const { nowMs, extendToMs } = rotation;
  // Named, so that each connection plans it once.
  const { rows } = await database.pool.query<HeldToken>({
    name: 'rotate-refresh-token',
    text: ROTATE,
    values: [
      hashRefreshToken(rotation.token),
      hashRefreshToken(rotation.successor),
      new Date(nowMs),
      rotation.ipAddress,
      new Date(nowMs + rotation.accessTokenTtlSeconds * 1000),
      extendToMs === null ? null : new Date(extendToMs),
    ],
  });
  return rows[0];
}

/**
 * Deletes sessions whose end has passed, with their tokens.
 *
 * @returns how many went; as many as `limit` when there may be more
 */
export async function purgeSessions(sql: Sql, nowMs: number, limit: number): Promise<number> {
  return deleted(
    sql,
    `DELETE FROM sessions WHERE id IN (
       SELECT id FROM sessions WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [new Date(nowMs), limit],
  );
}

/** The same for tokens: those of a session that is extended at each use end before it does. */
export async function purgeRefreshTokens(sql: Sql, nowMs: number, limit: number): Promise<number> {
  return deleted(
    sql,
    `DELETE FROM refresh_tokens WHERE hash IN (
       SELECT hash FROM refresh_tokens WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [new Date(nowMs), limit],
  );
}

async function deleted(sql: Sql, text: string, values: unknown[]): Promise<number> {
  return (await sql.query(text, values)).length;
}
