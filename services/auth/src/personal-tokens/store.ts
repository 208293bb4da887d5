import { PERSONAL_TOKENS_MAX } from '@atrium/contracts/auth/personal-tokens';
import type { Scope } from '@atrium/contracts/auth/scope-names';
import { Plan } from '@atrium/contracts/auth/tokens';
import { newId } from '@atrium/contracts/ids';
import { hashPersonalToken } from '@atrium/service-kit/personal-tokens';
import type { Sql } from '@atrium/service-kit/database';
import { Value } from 'typebox/value';
import type { Database, Tx } from '../database.ts';
import { REVOCATION_LEEWAY_SECONDS } from '../sessions/store.ts';
import type { TokenSubject } from '../signing-keys/access-token.ts';

export interface PersonalTokenRow {
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

const FIELDS = {
  id: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
} as const;

/** Tokens that have not expired, the newest first; an account has no more than fit one answer. */
export function listPersonalTokens(
  database: Database | Tx,
  accountId: string,
  nowMs: number,
): Promise<PersonalTokenRow[]> {
  return database.prisma.personalToken.findMany({
    where: { accountId, expiresAt: { gt: new Date(nowMs) } },
    orderBy: { id: 'desc' },
    select: FIELDS,
  });
}

/** The caller holds the account's lock. @returns undefined when the account has as many as it may */
export async function insertPersonalToken(
  tx: Tx,
  made: {
    accountId: string;
    token: string;
    name: string;
    scopes: Scope[];
    expiresAtMs: number;
    nowMs: number;
  },
): Promise<PersonalTokenRow | undefined> {
  const { accountId, token, name, scopes, expiresAtMs, nowMs } = made;
  const current = await listPersonalTokens(tx, accountId, nowMs);
  if (current.length >= PERSONAL_TOKENS_MAX) return undefined;
  const [createdAt, expiresAt] = [new Date(nowMs), new Date(expiresAtMs)];
  return tx.prisma.personalToken.create({
    data: {
      id: newId('pat'),
      accountId,
      hash: new Uint8Array(hashPersonalToken(token)),
      name,
      scopes,
      createdAt,
      expiresAt,
      accessExpiresAt: createdAt,
    },
    select: FIELDS,
  });
}

/** Deletes it, and publishes its id for as long as `revokeSessions` does. */
const REVOKE = `
  WITH gone AS (
    DELETE FROM personal_tokens WHERE id = $1 AND account_id = $2 RETURNING id, name, access_expires_at
  ), published AS (
    INSERT INTO revoked_sessions (session_id, expires_at)
    SELECT id, access_expires_at + $4 * interval '1 second' FROM gone
    WHERE access_expires_at + $4 * interval '1 second' > $3
    ON CONFLICT (session_id) DO NOTHING
  )
  SELECT name FROM gone`;

/** @returns its name; undefined when the account has none with this id */
export async function revokePersonalToken(
  tx: Sql,
  { id, accountId, nowMs }: { id: string; accountId: string; nowMs: number },
): Promise<string | undefined> {
  const values = [id, accountId, new Date(nowMs), REVOCATION_LEEWAY_SECONDS];
  const [gone] = await tx.query<{ name: string }>(REVOKE, values);
  return gone?.name;
}

/** Raw: one statement, which a revocation either precedes or waits for. */
const USE = `
  UPDATE personal_tokens t SET last_used_at = $2, access_expires_at = greatest(access_expires_at, $3)
  FROM accounts a
  WHERE t.hash = $1 AND t.expires_at > $2 AND a.id = t.account_id
    AND a.suspended_at IS NULL AND a.deletion_due_at IS NULL
  RETURNING t.id AS "sessionId", t.scopes, t.expires_at AS "expiresAt", a.id AS "accountId", a.email, a.plan,
    a.email_verified_at IS NOT NULL AS "emailVerified"`;

interface UsedRow {
  sessionId: string;
  scopes: string[];
  expiresAt: Date;
  accountId: string;
  email: string;
  plan: string;
  emailVerified: boolean;
}

/** @returns what an access token for it says; undefined when the token is not valid */
export async function usePersonalToken(
  sql: Sql,
  use: { token: string; nowMs: number; accessTokenTtlSeconds: number },
): Promise<TokenSubject | undefined> {
  const { token, nowMs, accessTokenTtlSeconds } = use;
  const accessExpiresAt = new Date(nowMs + accessTokenTtlSeconds * 1000);
  const values = [hashPersonalToken(token), new Date(nowMs), accessExpiresAt];
  const [row] = await sql.query<UsedRow>(USE, values);
  if (row === undefined) return undefined;
  const { expiresAt, plan, ...subject } = row;
  return { ...subject, plan: Value.Parse(Plan, plan), endsAtMs: expiresAt.getTime() };
}

/** @returns how many went; as many as `limit` when there may be more */
export async function purgePersonalTokens(sql: Sql, nowMs: number, limit: number): Promise<number> {
  // Raw: Prisma has neither a limit for deletions nor SKIP LOCKED.
  const rows = await sql.query(
    `DELETE FROM personal_tokens WHERE id IN (
       SELECT id FROM personal_tokens WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [new Date(nowMs), limit],
  );
  return rows.length;
}
