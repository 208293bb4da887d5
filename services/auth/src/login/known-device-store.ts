import { REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth';
import type { Sql } from '@atrium/service-kit/database';
import type { SessionWish } from '../sessions/start-session.ts';
import { hashRefreshToken } from '../sessions/refresh-token.ts';
import { LOGIN_ACCOUNT, type LoginAccount } from '../sessions/store.ts';

export interface FoundAccount extends LoginAccount {
  /** It has been logged in to from the device before. */
  isKnownDevice: boolean;
}

export async function findForLogin(
  sql: Sql,
  { email, fingerprint }: { email: string; fingerprint: Buffer },
): Promise<FoundAccount | undefined> {
  const [account] = await sql.query<FoundAccount>(
    `SELECT ${LOGIN_ACCOUNT}, EXISTS (
       SELECT 1 FROM account_devices WHERE account_id = accounts.id AND fingerprint = $2
     ) AS "isKnownDevice"
     FROM accounts WHERE lower(email) = lower($1)`,
    [email, fingerprint],
  );
  return account;
}

/**
 * The whole of a login that needs nothing but the password: the account's lock, the device's last
 * use, the session and its audit event. Nothing at all happens when the password has changed since
 * it was checked, a second factor is on, the device has been forgotten, or somebody else holds the
 * lock: what a statement that had to wait knows is as old as its beginning.
 *
 * @returns whether it happened
 */
export async function insertLoginAtKnownDevice(
  sql: Sql,
  login: Pick<SessionWish, 'account' | 'device' | 'ipAddress' | 'requestId' | 'nowMs'> & {
    sessionId: string;
    refreshToken: string;
    accessTokenTtlSeconds: number;
    auditId: string;
  },
): Promise<boolean> {
  const { account, device, nowMs } = login;
  const rows = await sql.query(
    `WITH account AS MATERIALIZED (
       SELECT id FROM accounts
       WHERE id = $1 AND password_hash = $2
         AND NOT EXISTS (SELECT 1 FROM totp_factors
                         WHERE account_id = $1 AND confirmed_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1)
       FOR NO KEY UPDATE SKIP LOCKED
     ), device AS (
       UPDATE account_devices SET last_seen_at = $4 FROM account
       WHERE account_id = account.id AND fingerprint = $3
       RETURNING account_id
     ), session AS (
       INSERT INTO sessions (id, account_id, browser, os, ip_address, created_at, last_used_at,
                             expires_at, access_expires_at)
       SELECT $5, account_id, $6, $7, $8, $4, $4, $9, $10 FROM device
       RETURNING id, account_id
     ), token AS (
       INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
       SELECT $11, id, $4, $9 FROM session
     )
     INSERT INTO audit_events
       (id, account_id, kind, session_id, ip_address, device, request_id, data, created_at)
     SELECT $12, account_id, 'login.succeeded', id, $8, $6 || ' on ' || $7, $13,
            '{"newDevice": false}', $4
     FROM session RETURNING 1`,
    [
      account.id,
      account.passwordHash,
      device.fingerprint,
      new Date(nowMs),
      login.sessionId,
      device.browser,
      device.os,
      login.ipAddress,
      new Date(nowMs + REFRESH_TOKEN_TTL_SECONDS * 1000),
      new Date(nowMs + login.accessTokenTtlSeconds * 1000),
      hashRefreshToken(login.refreshToken),
      login.auditId,
      login.requestId,
    ],
  );
  return rows.length > 0;
}
