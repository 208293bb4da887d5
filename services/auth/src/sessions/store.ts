import { REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth/accounts';
import { PORTAL_SESSION_MINUTES } from '@atrium/contracts/webhooks/portal';
import type { Sql } from '@atrium/service-kit/database';
import type { Database } from '../database.ts';
import type { Device } from '../devices/device.ts';
import { tokenHash } from '../token-hash.ts';

/** Raw SQL: part of the measured login. */
export async function insertSession(
  sql: Sql,
  session: {
    id: string;
    accountId: string;
    device: Device;
    ipAddress: string;
    refreshToken: string;
    passedSecondFactor: boolean;
    accessTokenTtlSeconds: number;
    nowMs: number;
  },
): Promise<void> {
  const { id, accountId, device, ipAddress, nowMs } = session;
  const createdAt = new Date(nowMs);
  const expiresAt = new Date(nowMs + REFRESH_TOKEN_TTL_SECONDS * 1000);
  await sql.query(
    `WITH session AS (
       INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address,
                             passed_second_factor, created_at, last_used_at, expires_at,
                             access_expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)
     )
     INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
     VALUES ($11, $1, $8, $9)`,
    [
      id,
      accountId,
      device.idHash,
      device.browser,
      device.os,
      ipAddress,
      session.passedSecondFactor,
      createdAt,
      expiresAt,
      new Date(nowMs + session.accessTokenTtlSeconds * 1000),
      tokenHash(session.refreshToken),
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

/** The account's active sessions, newest first, starting before the session `beforeId`. */
export function listSessions(
  database: Database,
  page: { accountId: string; beforeId: string | null; limit: number; nowMs: number },
): Promise<SessionRow[]> {
  return database.prisma.session.findMany({
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
 * A portal link ends with what made it, so a revocation is published until the last one has expired. A minute more is
 * longer than the grace period of a refresh token, in which an access token can be issued that `access_expires_at` does
 * not cover.
 */
export const REVOCATION_LEEWAY_SECONDS = (PORTAL_SESSION_MINUTES + 1) * 60;

/**
 * Which sessions to revoke. A refresh token, rotated or not, selects the session it belongs to. All (other)
 * sessions of an account include those that it has confirmed for a device; the caller holds its lock.
 */
export type SessionChoice =
  | { sessionId: string; accountId: string }
  | { accountId: string; exceptSessionId?: string | undefined }
  | { accountId: string; beyondNewest: number }
  | { refreshToken: string };

/**
 * The part of a statement that ends the logins to applications of the sessions in the CTE `sessions`, at `$1`, and
 * writes which applications have to be told.
 *
 * @param otherGrants grants that end although they do not belong to one of the sessions
 */
export const endLogins = (sessions: string, otherGrants = '') => `ended_grants AS (
       DELETE FROM oauth_grants WHERE id IN (
         SELECT id FROM oauth_grants WHERE session_id IN (SELECT id FROM ${sessions})${otherGrants}
       ) RETURNING id, application_id, account_id
     ), ended_logins AS (
       DELETE FROM oauth_records WHERE session_id IN (SELECT id FROM ${sessions})
       RETURNING account_id, payload -> 'authorizations' AS applications
     ), told AS (
       INSERT INTO oauth_logouts (sid, application_id, account_id, due_at)
       SELECT sid, application_id, ended.account_id, $1
       FROM (
         SELECT id AS sid, application_id, account_id FROM ended_grants
         UNION SELECT login.value ->> 'sid', login.key, account_id
         FROM ended_logins, jsonb_each(applications) AS login
       ) AS ended JOIN applications a ON a.id = application_id
       WHERE a.backchannel_logout_url IS NOT NULL
       ON CONFLICT (sid) DO NOTHING
     )`;

export interface RevokedSession {
  sessionId: string;
  accountId: string;
}

/**
 * The only way to revoke sessions: what every service must know is written in the same statement, and which
 * applications have to be told. Call
 * `revokedSessions.sync()` after the commit, so that this process refuses their access tokens at once;
 * every other process does so within two seconds anyway. Raw SQL: one statement over three tables.
 *
 * @returns the sessions that were not revoked before
 */
export async function revokeSessions(
  sql: Sql,
  choice: SessionChoice,
  nowMs: number,
): Promise<RevokedSession[]> {
  const { from, values, alsoEnded = '', otherGrants } = selectionOf(choice);
  // Locked in one order, so that parallel revocations of the same sessions cannot deadlock.
  return sql.query<RevokedSession>(
    `WITH selected AS (
       SELECT s.id FROM ${from} AND s.revoked_at IS NULL ORDER BY s.id FOR NO KEY UPDATE OF s
     ), revoked AS (
       UPDATE sessions SET revoked_at = $1
       WHERE id IN (SELECT id FROM selected) AND revoked_at IS NULL
       RETURNING id, account_id, access_expires_at + $2 * interval '1 second' AS published_until
     ), published AS (
       INSERT INTO revoked_sessions (session_id, expires_at)
       SELECT id, published_until FROM revoked WHERE published_until > $1
       ON CONFLICT (session_id) DO NOTHING
     ), ${endLogins('revoked', otherGrants)}${alsoEnded}
     SELECT id AS "sessionId", account_id AS "accountId" FROM revoked`,
    [new Date(nowMs), REVOCATION_LEEWAY_SECONDS, ...values],
  );
}

/**
 * Revokes the session of a refresh token, which a new one replaces. When both are of one account, that has its logins
 * to applications from then on: whoever logs in again has not logged out. Raw SQL: one statement over three tables.
 *
 * @returns the session that was not revoked before
 */
export async function replaceSession(
  sql: Sql,
  by: { refreshToken: string; accountId: string; sessionId: string; nowMs: number },
): Promise<RevokedSession[]> {
  const { refreshToken, accountId, sessionId, nowMs } = by;
  await sql.query(
    `WITH replaced AS (
       SELECT s.id FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id
       WHERE t.hash = $1 AND s.account_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $4
       FOR NO KEY UPDATE OF s
     ), grants AS (
       UPDATE oauth_grants SET session_id = $3 WHERE session_id IN (SELECT id FROM replaced)
     )
     UPDATE oauth_records
     SET session_id = $3, uid = $3, payload = payload || jsonb_build_object('uid', $3::text)
     WHERE session_id IN (SELECT id FROM replaced)`,
    [tokenHash(refreshToken), accountId, sessionId, new Date(nowMs)],
  );
  return revokeSessions(sql, { refreshToken }, nowMs);
}

/**
 * When no session is left, personal access tokens end too, and whatever the account has allowed applications.
 */
const END_THE_REST = `, tokens AS (
       DELETE FROM personal_tokens WHERE account_id = $3 AND $4::text IS NULL RETURNING id, access_expires_at
     ), published_tokens AS (
       INSERT INTO revoked_sessions (session_id, expires_at)
       SELECT id, access_expires_at + $2 * interval '1 second' FROM tokens
       WHERE access_expires_at + $2 * interval '1 second' > $1
     ), consents AS (
       DELETE FROM oauth_consents WHERE account_id = $3 AND $4::text IS NULL
     )`;

/**
 * Devices that were logged in without their browser are logged out as sessions are. No OR: it would read the grants of
 * all accounts.
 */
const ALL_GRANTS = `
         UNION SELECT id FROM oauth_grants WHERE account_id = $3 AND ($4::text IS NULL OR device_name IS NOT NULL)`;

/** Bounds the statement of a login; the next one revokes the rest. */
const EXCESS_MAX = 100;

interface Selection {
  from: string;
  values: unknown[];
  alsoEnded?: string;
  otherGrants?: string;
}

function selectionOf(choice: SessionChoice): Selection {
  if ('refreshToken' in choice) {
    const from = 'sessions s JOIN refresh_tokens t ON t.session_id = s.id WHERE t.hash = $3';
    return { from, values: [tokenHash(choice.refreshToken)] };
  }
  if ('sessionId' in choice) {
    const from = 'sessions s WHERE s.id = $3 AND s.account_id = $4';
    return { from, values: [choice.sessionId, choice.accountId] };
  }
  if ('beyondNewest' in choice) {
    const from = `sessions s WHERE s.id IN (
      SELECT id FROM sessions WHERE account_id = $3 AND revoked_at IS NULL
      ORDER BY id DESC OFFSET $4 LIMIT ${EXCESS_MAX}
    )`;
    return { from, values: [choice.accountId, choice.beyondNewest] };
  }
  const from = 'sessions s WHERE s.account_id = $3 AND s.id IS DISTINCT FROM $4';
  const values = [choice.accountId, choice.exceptSessionId ?? null];
  return { from, values, alsoEnded: END_THE_REST, otherGrants: ALL_GRANTS };
}
