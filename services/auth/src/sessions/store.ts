import { REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth';
import type { Plan } from '@atrium/contracts/tokens';
import type { Sql } from '@atrium/service-kit/database';
import type { Device } from './device.ts';
import { hashRefreshToken } from './refresh-token.ts';

export interface LoginAccount {
  id: string;
  name: string;
  username: string;
  email: string;
  avatar: string | null;
  passwordHash: string;
  plan: Plan;
  emailVerified: boolean;
  createdAt: Date;
}

export async function findByEmail(sql: Sql, email: string): Promise<LoginAccount | undefined> {
  const [account] = await sql.query<LoginAccount>(
    `SELECT id, name, username, email, avatar, password_hash AS "passwordHash", plan,
            email_verified_at IS NOT NULL AS "emailVerified", created_at AS "createdAt"
     FROM accounts WHERE lower(email) = lower($1)`,
    [email],
  );
  return account;
}

/** Serialises the account's logins; false when its password changed since it was checked. */
export async function lockForLogin(tx: Sql, account: LoginAccount): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM accounts WHERE id = $1 AND password_hash = $2 FOR NO KEY UPDATE',
    [account.id, account.passwordHash],
  );
  return rows.length === 1;
}

export type DeviceSighting = 'first-ever' | 'known' | 'new';

/** Remembers the device. The caller holds the account's lock, so no other login comes between. */
export async function recordDevice(
  tx: Sql,
  accountId: string,
  device: Device,
  nowMs: number,
): Promise<DeviceSighting> {
  const [seen] = await tx.query<{ isKnown: boolean; isFirst: boolean }>(
    `SELECT coalesce(bool_or(fingerprint = $2), false) AS "isKnown", count(*) = 0 AS "isFirst"
     FROM account_devices WHERE account_id = $1`,
    [accountId, device.fingerprint],
  );
  await tx.query(
    `INSERT INTO account_devices (account_id, fingerprint, browser, os, first_seen_at, last_seen_at)
     VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (account_id, fingerprint) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    [accountId, device.fingerprint, device.browser, device.os, new Date(nowMs)],
  );
  if (seen?.isFirst === true) {
    return 'first-ever';
  }
  return seen?.isKnown === true ? 'known' : 'new';
}

export async function insertSession(
  tx: Sql,
  session: {
    id: string;
    accountId: string;
    device: Device;
    ipAddress: string;
    refreshToken: string;
    nowMs: number;
  },
): Promise<void> {
  const now = new Date(session.nowMs);
  await tx.query(
    `INSERT INTO sessions (id, account_id, browser, os, ip_address, created_at, last_used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [
      session.id,
      session.accountId,
      session.device.browser,
      session.device.os,
      session.ipAddress,
      now,
    ],
  );
  await tx.query(
    `INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at) VALUES ($1, $2, $3, $4)`,
    [
      hashRefreshToken(session.refreshToken),
      session.id,
      now,
      new Date(session.nowMs + REFRESH_TOKEN_TTL_SECONDS * 1000),
    ],
  );
}

export async function revokeSession(sql: Sql, sessionId: string, nowMs: number): Promise<void> {
  await sql.query('UPDATE sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL', [
    sessionId,
    new Date(nowMs),
  ]);
}

/** Ends the session that a refresh token, also a rotated one, belongs to. */
export async function revokeSessionOfToken(sql: Sql, token: string, nowMs: number): Promise<void> {
  await sql.query(
    `UPDATE sessions s SET revoked_at = $2
     FROM refresh_tokens t WHERE t.hash = $1 AND s.id = t.session_id AND s.revoked_at IS NULL`,
    [hashRefreshToken(token), new Date(nowMs)],
  );
}
