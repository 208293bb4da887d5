import type { Sql } from '@atrium/service-kit/database';
import { greetedName } from '../mail/name-store.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Locks the account of a session, if the session still lives and the password is still the one that
 * was checked: whoever ended the one or changed the other meanwhile comes first.
 */
export async function lockConfirmed(
  tx: Sql,
  {
    accountId,
    sessionId,
    passwordHash,
  }: Record<'accountId' | 'sessionId' | 'passwordHash', string>,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM accounts a JOIN sessions s ON s.account_id = a.id
     WHERE a.id = $1 AND a.password_hash = $3 AND s.id = $2 AND s.revoked_at IS NULL
     FOR NO KEY UPDATE OF a`,
    [accountId, sessionId, passwordHash],
  );
  return rows.length === 1;
}

export interface AddressedAccount {
  id: string;
  name: string;
  email: string;
  isVerified: boolean;
}

/** Locks the account and answers what its mails need. */
export async function lockAddressed(
  tx: Sql,
  accountId: string,
): Promise<AddressedAccount | undefined> {
  const [account] = await tx.query<AddressedAccount>(
    `SELECT id, ${greetedName('accounts')}, email, email_verified_at IS NOT NULL AS "isVerified"
     FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    [accountId],
  );
  return account;
}

/** Whoever has this address. */
export async function findOwner(
  sql: Sql,
  email: string,
): Promise<{ name: string; email: string } | undefined> {
  const [owner] = await sql.query<{ name: string; email: string }>(
    `SELECT ${greetedName('a')}, a.email FROM accounts a WHERE lower(a.email) = lower($1)`,
    [email],
  );
  return owner;
}

/**
 * Gives the account an address that has proved to be its owner's.
 *
 * @returns false when another account has the address
 */
export async function setVerifiedEmail(
  tx: Sql,
  { accountId, email, nowMs }: { accountId: string; email: string; nowMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE accounts SET email = $2, email_verified_at = $3, updated_at = $3
     WHERE id = $1 AND NOT EXISTS (
       SELECT 1 FROM accounts WHERE lower(email) = lower($2) AND id <> $1
     ) RETURNING 1`,
    [accountId, email, new Date(nowMs)],
  );
  return rows.length === 1;
}

/** Somebody took the address between the look and the change. */
export function isTakenMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
