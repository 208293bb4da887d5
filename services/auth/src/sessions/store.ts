import { REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth';
import type { Plan } from '@atrium/contracts/tokens';
import type { Sql } from '@atrium/service-kit/database';
import type { PrismaClient } from '../generated/client.ts';
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
  /** When it will be erased, if its owner has asked for that. */
  erasesAt: Date | null;
}

/** The columns of a `LoginAccount` in `accounts`. */
export const LOGIN_ACCOUNT = `
  id, name, username, email, avatar, password_hash AS "passwordHash", plan,
  email_verified_at IS NOT NULL AS "emailVerified", created_at AS "createdAt",
  deletion_due_at AS "erasesAt"`;

/** The account, locked as by `lockForLogin`, for a login that needs no password any more. */
export async function lockById(tx: Sql, id: string): Promise<LoginAccount | undefined> {
  const [account] = await tx.query<LoginAccount>(
    `SELECT ${LOGIN_ACCOUNT} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
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

export async function insertSession(
  tx: Sql,
  session: {
    id: string;
    accountId: string;
    device: Device;
    ipAddress: string;
    refreshToken: string;
    accessTokenTtlSeconds: number;
    nowMs: number;
  },
): Promise<void> {
  const { nowMs, device } = session;
  await tx.query(
    `WITH session AS (
       INSERT INTO sessions (id, account_id, browser, os, ip_address, created_at, last_used_at,
                             expires_at, access_expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8) RETURNING id
     )
     INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
     SELECT $9, id, $6, $7 FROM session`,
    [
      session.id,
      session.accountId,
      device.browser,
      device.os,
      session.ipAddress,
      new Date(nowMs),
      new Date(nowMs + REFRESH_TOKEN_TTL_SECONDS * 1000),
      new Date(nowMs + session.accessTokenTtlSeconds * 1000),
      hashRefreshToken(session.refreshToken),
    ],
  );
}

export interface SessionRow {
  id: string;
  browser: string;
  os: string;
  ipAddress: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** The account's living sessions, newest first, from before the session `beforeId`. */
export function listSessions(
  prisma: PrismaClient,
  page: { accountId: string; beforeId: string | null; limit: number; nowMs: number },
): Promise<SessionRow[]> {
  return prisma.session.findMany({
    where: {
      accountId: page.accountId,
      revokedAt: null,
      expiresAt: { gt: new Date(page.nowMs) },
      ...(page.beforeId === null ? {} : { id: { lt: page.beforeId } }),
    },
    orderBy: { id: 'desc' },
    take: page.limit,
    select: {
      id: true,
      browser: true,
      os: true,
      ipAddress: true,
      createdAt: true,
      lastUsedAt: true,
      expiresAt: true,
    },
  });
}

/**
 * Longer than the grace of a refresh token, in which an access token can be given out that the
 * session's row does not know of.
 */
export const REVOCATION_LEEWAY_SECONDS = 60;

/** Which sessions to end; a refresh token, also a rotated one, names the session it belongs to. */
export type SessionChoice =
  | { sessionId: string; accountId: string }
  | { accountId: string; exceptSessionId?: string | undefined }
  | { refreshToken: string };

export interface RevokedSession {
  sessionId: string;
  accountId: string;
}

/**
 * Ends sessions, the one way to do it: what every service must know of it is written in the same
 * statement. After the commit call `revokedSessions.sync()`, so that this process refuses their access
 * tokens at once; all others do within two seconds, whether or not it is called.
 *
 * @returns those that had not ended before
 */
export async function revokeSessions(
  sql: Sql,
  choice: SessionChoice,
  nowMs: number,
): Promise<RevokedSession[]> {
  const { from, values } = chosen(choice);
  // Locked in one order, so that two revocations of the same sessions cannot block each other.
  return sql.query<RevokedSession>(
    `WITH chosen AS (
       SELECT s.id FROM ${from} AND s.revoked_at IS NULL ORDER BY s.id FOR NO KEY UPDATE OF s
     ), ended AS (
       UPDATE sessions SET revoked_at = $1
       WHERE id IN (SELECT id FROM chosen) AND revoked_at IS NULL
       RETURNING id, account_id, access_expires_at + $2 * interval '1 second' AS known_until
     ), told AS (
       INSERT INTO revoked_sessions (session_id, expires_at)
       SELECT id, known_until FROM ended WHERE known_until > $1
       ON CONFLICT (session_id) DO NOTHING
     )
     SELECT id AS "sessionId", account_id AS "accountId" FROM ended`,
    [new Date(nowMs), REVOCATION_LEEWAY_SECONDS, ...values],
  );
}

function chosen(choice: SessionChoice): { from: string; values: unknown[] } {
  if ('refreshToken' in choice) {
    const from = 'sessions s JOIN refresh_tokens t ON t.session_id = s.id WHERE t.hash = $3';
    return { from, values: [hashRefreshToken(choice.refreshToken)] };
  }
  if ('sessionId' in choice) {
    const from = 'sessions s WHERE s.id = $3 AND s.account_id = $4';
    return { from, values: [choice.sessionId, choice.accountId] };
  }
  const from = 'sessions s WHERE s.account_id = $3 AND s.id IS DISTINCT FROM $4';
  return { from, values: [choice.accountId, choice.exceptSessionId ?? null] };
}
