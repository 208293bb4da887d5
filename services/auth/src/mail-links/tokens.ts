import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '@atrium/service-kit/database';

export type LinkPurpose = 'verify-email' | 'reset-password';

const TTL_SECONDS: Record<LinkPurpose, number> = {
  'verify-email': 86_400,
  'reset-password': 1800,
};

/** The account behind a link that holds. */
export interface LinkOwner {
  accountId: string;
  name: string;
  username: string;
  email: string;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Makes a link's token; it can be read from the mail only, the database keeps its hash. */
export async function issueLinkToken(
  sql: Sql,
  link: { purpose: LinkPurpose; accountId: string; email: string; nowMs: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await sql.query(
    `INSERT INTO mail_links (hash, account_id, purpose, email, created_at, expires_at)
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

/** Whose link this is. A link dies with the address it was sent to. */
export async function findLinkOwner(
  sql: Sql,
  link: { purpose: LinkPurpose; token: string; nowMs: number },
): Promise<LinkOwner | undefined> {
  const [owner] = await sql.query<LinkOwner>(
    `SELECT a.id AS "accountId", a.name, a.username, a.email
     FROM mail_links l JOIN accounts a ON a.id = l.account_id AND a.email = l.email
     WHERE l.hash = $1 AND l.purpose = $2 AND l.expires_at > $3`,
    [hashOf(link.token), link.purpose, new Date(link.nowMs)],
  );
  return owner;
}

/** Uses a link up; false when another request was faster. */
export async function consumeLink(
  sql: Sql,
  link: { purpose: LinkPurpose; token: string; nowMs: number },
): Promise<boolean> {
  const rows = await sql.query(
    `DELETE FROM mail_links WHERE hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING 1`,
    [hashOf(link.token), link.purpose, new Date(link.nowMs)],
  );
  return rows.length === 1;
}

/** Ends every open link of this purpose, for example all reset links once the password changed. */
export async function dropLinks(sql: Sql, purpose: LinkPurpose, accountId: string): Promise<void> {
  await sql.query('DELETE FROM mail_links WHERE account_id = $1 AND purpose = $2', [
    accountId,
    purpose,
  ]);
}
