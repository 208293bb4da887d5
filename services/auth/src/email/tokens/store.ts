// Raw SQL: a token is consumed by DELETE … RETURNING, and created by transactions without Prisma, the
// measured login among them.
import { randomBytes } from 'node:crypto';
import type { Language } from '@atrium/contracts/auth/profile';
import type { Sql } from '@atrium/service-kit/database';
import type { Database } from '../../database.ts';
import { recipientColumns } from '../../accounts/recipient-columns.ts';
import { tokenHash } from '../../token-hash.ts';

/**
 * What a token allows. `confirm-email` is sent to an account's next address. `revoke-access` revokes
 * suspicious access, and `revert-email` also restores the address that it was sent to.
 */
export type EmailTokenPurpose =
  | 'verify-email'
  | 'reset-password'
  | 'confirm-email'
  | 'revoke-access'
  | 'revert-email';

const DAY_SECONDS = 86_400;

const TTL_SECONDS: Record<EmailTokenPurpose, number> = {
  'verify-email': DAY_SECONDS,
  'reset-password': 1800,
  'confirm-email': DAY_SECONDS,
  'revoke-access': 7 * DAY_SECONDS,
  'revert-email': 7 * DAY_SECONDS,
};

/** The account of a valid token. */
export interface EmailTokenOwner {
  accountId: string;
  name: string;
  language: Language;
  username: string;
  email: string;
  isVerified: boolean;
}

/** `email` is where the token was sent, which need not be the account's current address. */
export interface EmailToken {
  accountId: string;
  purpose: EmailTokenPurpose;
  email: string;
  createdAt: Date;
}

/** Only the email message holds the token; the database stores its hash. */
export async function createEmailToken(
  sql: Sql,
  token: { purpose: EmailTokenPurpose; accountId: string; email: string; nowMs: number },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await sql.query(
    `INSERT INTO email_tokens (hash, account_id, purpose, email, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      tokenHash(secret),
      token.accountId,
      token.purpose,
      token.email,
      new Date(token.nowMs),
      new Date(token.nowMs + TTL_SECONDS[token.purpose] * 1000),
    ],
  );
  return secret;
}

/** The account of a token that is only valid while the account keeps the address it was sent to. */
export async function findEmailTokenOwner(
  sql: Sql,
  query: { purpose: 'verify-email' | 'reset-password'; token: string; nowMs: number },
): Promise<EmailTokenOwner | undefined> {
  const [owner] = await sql.query<EmailTokenOwner>(
    `SELECT a.id AS "accountId", ${recipientColumns('a')}, a.username, a.email,
            a.email_verified_at IS NOT NULL AS "isVerified"
     FROM email_tokens t JOIN accounts a ON a.id = t.account_id AND a.email = t.email
     WHERE t.hash = $1 AND t.purpose = $2 AND t.expires_at > $3`,
    [tokenHash(query.token), query.purpose, new Date(query.nowMs)],
  );
  return owner;
}

interface TokenQuery {
  /** Any of these. */
  purposes: EmailTokenPurpose[];
  token: string;
  nowMs: number;
}

/** The account of a valid token, to be locked before the token is consumed. */
export async function findEmailTokenAccount(
  sql: Sql,
  query: TokenQuery,
): Promise<string | undefined> {
  const [found] = await sql.query<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM email_tokens
     WHERE hash = $1 AND purpose = ANY ($2) AND expires_at > $3`,
    [tokenHash(query.token), query.purposes, new Date(query.nowMs)],
  );
  return found?.accountId;
}

/** Deletes a token; undefined when it is not valid or another request consumed it first. */
export async function consumeEmailToken(
  tx: Sql,
  query: TokenQuery,
): Promise<EmailToken | undefined> {
  const [consumed] = await tx.query<EmailToken>(
    `DELETE FROM email_tokens WHERE hash = $1 AND purpose = ANY ($2) AND expires_at > $3
     RETURNING account_id AS "accountId", purpose, email, created_at AS "createdAt"`,
    [tokenHash(query.token), query.purposes, new Date(query.nowMs)],
  );
  return consumed;
}

/** Whether a former address of the account, which was verified, can still be restored. */
export async function isEmailRestorable(
  tx: Sql,
  { accountId, email, nowMs }: { accountId: string; email: string; nowMs: number },
): Promise<boolean> {
  const found = await tx.query(
    `SELECT FROM email_tokens
     WHERE account_id = $1 AND purpose = 'revert-email' AND email = $2 AND expires_at > $3`,
    [accountId, email, new Date(nowMs)],
  );
  return found.length > 0;
}

/** Deletes the account's tokens of these purposes. */
export async function deleteEmailTokens(
  tx: Sql,
  purposes: EmailTokenPurpose[],
  accountId: string,
): Promise<void> {
  await tx.query('DELETE FROM email_tokens WHERE account_id = $1 AND purpose = ANY ($2)', [
    accountId,
    purposes,
  ]);
}

/** Deletes the account's tokens of this purpose, except those sent to `email`. */
export async function deleteEmailTokensSentElsewhere(
  tx: Sql,
  tokens: { purpose: EmailTokenPurpose; accountId: string; email: string },
): Promise<void> {
  await tx.query(
    'DELETE FROM email_tokens WHERE account_id = $1 AND purpose = $2 AND email <> $3',
    [tokens.accountId, tokens.purpose, tokens.email],
  );
}

/** Deletes the account's tokens of this purpose that were created at `createdAt` or later. */
export async function deleteEmailTokensSince(
  tx: Sql,
  tokens: { purpose: EmailTokenPurpose; accountId: string; createdAt: Date },
): Promise<void> {
  await tx.query(
    'DELETE FROM email_tokens WHERE account_id = $1 AND purpose = $2 AND created_at >= $3',
    [tokens.accountId, tokens.purpose, tokens.createdAt],
  );
}

/** Deletes tokens that expired before `before`. @returns how many were deleted */
export async function purgeEmailTokens(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const where = { expiresAt: { lt: before } };
  const { count } = await database.prisma.emailToken.deleteMany({ where, limit });
  return count;
}
