// Raw SQL: row locks and lower(email), which is what the unique index covers, are beyond Prisma.
import type { Language } from '@atrium/contracts/auth/profile';
import type { Sql } from '@atrium/service-kit/database';
import { recipientColumns } from './recipient-columns.ts';

export interface Account {
  id: string;
  /** For emails: see `recipientColumns`. */
  name: string;
  language: Language;
  username: string;
  email: string;
  isVerified: boolean;
  passwordHash: string;
}

const COLUMNS = `a.id, ${recipientColumns('a')}, a.username, a.email,
                 a.email_verified_at IS NOT NULL AS "isVerified",
                 a.password_hash AS "passwordHash"`;

export async function findByEmail(sql: Sql, email: string): Promise<Account | undefined> {
  const [account] = await sql.query<Account>(
    `SELECT ${COLUMNS} FROM accounts a WHERE lower(a.email) = lower($1)`,
    [email],
  );
  return account;
}

export async function findById(sql: Sql, id: string): Promise<Account | undefined> {
  const [account] = await sql.query<Account>(`SELECT ${COLUMNS} FROM accounts a WHERE a.id = $1`, [
    id,
  ]);
  return account;
}

/** The account of a session that has not been revoked. */
export async function findBySession(
  sql: Sql,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<Account | undefined> {
  const [account] = await sql.query<Account>(
    `SELECT ${COLUMNS} FROM accounts a JOIN sessions s ON s.account_id = a.id
     WHERE a.id = $1 AND s.id = $2 AND s.revoked_at IS NULL`,
    [accountId, sessionId],
  );
  return account;
}

/** Locks the account until the transaction ends. Logins and all security changes take this lock. */
export async function lockAccount(tx: Sql, accountId: string): Promise<Account | undefined> {
  const [account] = await tx.query<Account>(
    `SELECT ${COLUMNS} FROM accounts a WHERE a.id = $1 FOR NO KEY UPDATE`,
    [accountId],
  );
  return account;
}

/**
 * Locks the account of a session that has not been revoked. The session is read in a second statement,
 * because a statement that waited for the lock sees other tables as they were before.
 */
export async function lockBySession(
  tx: Sql,
  requester: { accountId: string; sessionId: string },
): Promise<Account | undefined> {
  await lockAccount(tx, requester.accountId);
  return findBySession(tx, requester);
}
