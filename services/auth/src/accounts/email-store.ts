import type { Sql } from '@atrium/service-kit/database';
import { greetedName } from './greeting-name.ts';

const UNIQUE_VIOLATION = '23505';

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

/**
 * As `setVerifiedEmail`, and false too when somebody takes the address at that very moment: the rest
 * of the transaction stands.
 */
export async function takeBackEmail(
  tx: Sql,
  change: Parameters<typeof setVerifiedEmail>[1],
): Promise<boolean> {
  await tx.query('SAVEPOINT take_back');
  try {
    return await setVerifiedEmail(tx, change);
  } catch (error) {
    if (!isTakenMeanwhile(error)) {
      throw error;
    }
    await tx.query('ROLLBACK TO SAVEPOINT take_back');
    return false;
  }
}

/** Somebody took the address between the look and the change. */
export function isTakenMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
