import type { Sql } from '@atrium/service-kit/database';
import { greetedName } from './greeting-name.ts';
import { revokeSessions } from '../sessions/store.ts';
import { deletePendingLogins } from '../second-factor/store.ts';

export interface PasswordAccount {
  id: string;
  /** For mails: see `greetedName`. */
  name: string;
  username: string;
  email: string;
  isVerified: boolean;
  passwordHash: string;
}

const COLUMNS = `a.id, ${greetedName('a')}, a.username, a.email,
                 a.email_verified_at IS NOT NULL AS "isVerified",
                 a.password_hash AS "passwordHash"`;

export async function findByEmail(sql: Sql, email: string): Promise<PasswordAccount | undefined> {
  const [account] = await sql.query<PasswordAccount>(
    `SELECT ${COLUMNS} FROM accounts a WHERE lower(a.email) = lower($1)`,
    [email],
  );
  return account;
}

/** The account of a session that has not been ended. */
export async function findBySession(
  sql: Sql,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<PasswordAccount | undefined> {
  const [account] = await sql.query<PasswordAccount>(
    `SELECT ${COLUMNS} FROM accounts a JOIN sessions s ON s.account_id = a.id
     WHERE a.id = $1 AND s.id = $2 AND s.revoked_at IS NULL`,
    [accountId, sessionId],
  );
  return account;
}

/** Makes changes of one account's password follow one another until the transaction ends. */
export async function lockAccount(tx: Sql, accountId: string): Promise<void> {
  await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
}

/**
 * Locks the account of a session that has not been ended. The session is looked at once the lock is
 * held: a statement that waits for a lock goes on with the other tables as they were before.
 */
export async function lockBySession(
  tx: Sql,
  claim: { accountId: string; sessionId: string },
): Promise<PasswordAccount | undefined> {
  await lockAccount(tx, claim.accountId);
  return findBySession(tx, claim);
}

/** Replaces the password and ends the account's sessions, but for `keepSessionId`. */
export async function replacePassword(
  tx: Sql,
  change: {
    accountId: string;
    passwordHash: string;
    keepSessionId?: string;
    nowMs: number;
  },
): Promise<void> {
  await tx.query('UPDATE accounts SET password_hash = $2, updated_at = $3 WHERE id = $1', [
    change.accountId,
    change.passwordHash,
    new Date(change.nowMs),
  ]);
  // A login that waits for its second step was let that far by the old password.
  await deletePendingLogins(tx, change.accountId);
  const { accountId, keepSessionId: exceptSessionId, nowMs } = change;
  await revokeSessions(tx, { accountId, exceptSessionId }, nowMs);
}
