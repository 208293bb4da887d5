import { REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth';
import type { Sql } from '@atrium/service-kit/database';
import { hashRefreshToken } from '../sessions/refresh-token.ts';
import type { NewSession } from '../sessions/start-session.ts';

/**
 * A login that needs only a password and a known device, in one statement: the account's lock, the
 * device's last use, the session and its audit event. Raw SQL, because it is a measured hot path.
 * Nothing happens when the account is suspended, the password has changed, a second factor is on, the device has been forgotten,
 * or the lock is taken: after waiting, the statement would see other tables as they were before.
 *
 * @returns whether the session was started
 */
export async function insertKnownDeviceLogin(
  sql: Sql,
  login: NewSession & {
    sessionId: string;
    refreshToken: string;
    accessTokenTtlSeconds: number;
    auditId: string;
  },
): Promise<boolean> {
  const { account, nowMs } = login;
  const { device, origin } = login.client;
  const rows = await sql.query(
    `WITH account AS MATERIALIZED (
       SELECT id FROM accounts
       WHERE id = $1 AND password_hash = $2 AND suspended_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM totp_factors
                         WHERE account_id = $1 AND confirmed_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1)
       FOR NO KEY UPDATE SKIP LOCKED
     ), device AS (
       UPDATE account_devices SET last_seen_at = $4 FROM account
       WHERE account_id = account.id AND fingerprint = $3
       RETURNING account_id
     ), session AS (
       INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address, created_at,
                             last_used_at, expires_at, access_expires_at)
       SELECT $5, account_id, $15, $6, $7, $8, $4, $4, $9, $10 FROM device
       RETURNING id, account_id
     ), token AS (
       INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
       SELECT $11, id, $4, $9 FROM session
     )
     INSERT INTO audit_events
       (id, account_id, kind, session_id, ip_address, device, request_id, data, created_at)
     SELECT $12, account_id, 'login.succeeded', id, $8, $14, $13, '{"newDevice": false}', $4
     FROM session RETURNING 1`,
    [
      account.id,
      account.passwordHash,
      device.fingerprint,
      new Date(nowMs),
      login.sessionId,
      device.browser,
      device.os,
      origin.ipAddress,
      new Date(nowMs + REFRESH_TOKEN_TTL_SECONDS * 1000),
      new Date(nowMs + login.accessTokenTtlSeconds * 1000),
      hashRefreshToken(login.refreshToken),
      login.auditId,
      origin.requestId,
      origin.device,
      device.idHash,
    ],
  );
  return rows.length > 0;
}
