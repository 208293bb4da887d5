import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '@atrium/service-kit/database';
import { greetedName } from '../outbox/name-store.ts';

/**
 * What a link allows. `confirm-email` was sent to an account's next address. `not-me` ends the
 * account's sessions, and `revert-email` gives it back the address that it was sent to as well.
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

/** The account behind a link that holds. */
export interface EmailTokenOwner {
  accountId: string;
  name: string;
  username: string;
  email: string;
}

/** A link as it was made; its `email` need not be the account's own. */
export interface EmailToken {
  accountId: string;
  purpose: EmailTokenPurpose;
  email: string;
  createdAt: Date;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Makes a link's token; it can be read from the mail only, the database keeps its hash. */
export async function createEmailToken(
  sql: Sql,
  link: { purpose: EmailTokenPurpose; accountId: string; email: string; nowMs: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await sql.query(
    `INSERT INTO email_tokens (hash, account_id, purpose, email, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      hashOf(token),
      link.accountId,
      link.purpose,
      link.email,
      new Date(link.nowMs),
      new Date(link.nowMs + TTL_SECONDS[link.purpose] * 1000),
    ],
  );
  return token;
}

/** Whose link this is. Such a link dies with the address it was sent to. */
export async function findEmailTokenOwner(
  sql: Sql,
  link: { purpose: 'verify-email' | 'reset-password'; token: string; nowMs: number },
): Promise<EmailTokenOwner | undefined> {
  const [owner] = await sql.query<EmailTokenOwner>(
    `SELECT a.id AS "accountId", ${greetedName('a')}, a.username, a.email
     FROM email_tokens l JOIN accounts a ON a.id = l.account_id AND a.email = l.email
     WHERE l.hash = $1 AND l.purpose = $2 AND l.expires_at > $3`,
    [hashOf(link.token), link.purpose, new Date(link.nowMs)],
  );
  return owner;
}

interface TokenOfPurpose {
  purposes: EmailTokenPurpose[];
  token: string;
  nowMs: number;
}

/** The account of a link that holds, to be locked before the link is used up. */
export async function findEmailTokenAccount(
  sql: Sql,
  link: TokenOfPurpose,
): Promise<string | undefined> {
  const [found] = await sql.query<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM email_tokens
     WHERE hash = $1 AND purpose = ANY ($2) AND expires_at > $3`,
    [hashOf(link.token), link.purposes, new Date(link.nowMs)],
  );
  return found?.accountId;
}

/** Uses a link up; undefined when it does not hold or another request was faster. */
export async function consumeEmailToken(
  sql: Sql,
  link: TokenOfPurpose,
): Promise<EmailToken | undefined> {
  const [taken] = await sql.query<EmailToken>(
    `DELETE FROM email_tokens WHERE hash = $1 AND purpose = ANY ($2) AND expires_at > $3
     RETURNING account_id AS "accountId", purpose, email, created_at AS "createdAt"`,
    [hashOf(link.token), link.purposes, new Date(link.nowMs)],
  );
  return taken;
}

/** Ends open links of these purposes, for example all reset links once the password changed. */
export async function deleteEmailTokens(
  sql: Sql,
  purposes: EmailTokenPurpose[],
  accountId: string,
): Promise<void> {
  await sql.query('DELETE FROM email_tokens WHERE account_id = $1 AND purpose = ANY ($2)', [
    accountId,
    purposes,
  ]);
}

/** Ends the account's links of this purpose that are as old as `createdAt` or newer. */
export async function deleteEmailTokensSince(
  sql: Sql,
  links: { purpose: EmailTokenPurpose; accountId: string; createdAt: Date },
): Promise<void> {
  await sql.query(
    'DELETE FROM email_tokens WHERE account_id = $1 AND purpose = $2 AND created_at >= $3',
    [links.accountId, links.purpose, links.createdAt],
  );
}

/** Deletes links that expired before `before`, at most `limit`. @returns how many went */
export async function purgeEmailTokens(
  sql: Sql,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM email_tokens WHERE hash IN (
       SELECT hash FROM email_tokens WHERE expires_at < $1
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [before, limit],
  );
  return rows.length;
}
