// Why it is so: docs/decisions/0008-email-addresses.md
// Raw SQL: lower(email), which is what the unique index covers, and a savepoint are beyond Prisma.
import type { Sql } from '@atrium/service-kit/database';

const UNIQUE_VIOLATION = '23505';

interface EmailChange {
  accountId: string;
  email: string;
  nowMs: number;
}

/** Marks the account's address as verified; false when it was, or is not the account's any more. */
export async function markVerified(
  sql: Sql,
  { accountId, email, nowMs }: EmailChange,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE accounts SET email_verified_at = $3, invitation = NULL, updated_at = $3
     WHERE id = $1 AND email = $2 AND email_verified_at IS NULL RETURNING 1`,
    [accountId, email, new Date(nowMs)],
  );
  return rows.length === 1;
}

/** Gives the account a verified address; false when another account has it. */
export async function setVerifiedEmail(
  tx: Sql,
  { accountId, email, nowMs }: EmailChange,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE accounts SET email = $2, email_verified_at = $3, invitation = NULL, updated_at = $3
     WHERE id = $1 AND NOT EXISTS (
       SELECT 1 FROM accounts WHERE lower(email) = lower($2) AND id <> $1
     ) RETURNING 1`,
    [accountId, email, new Date(nowMs)],
  );
  return rows.length === 1;
}

/**
 * As `setVerifiedEmail`, but also false when a parallel transaction takes the address; the rest of
 * this transaction is unaffected.
 */
export async function restoreEmail(tx: Sql, change: EmailChange): Promise<boolean> {
  await tx.query('SAVEPOINT restore_email');
  try {
    return await setVerifiedEmail(tx, change);
  } catch (error) {
    if (!isEmailTaken(error)) {
      throw error;
    }
    await tx.query('ROLLBACK TO SAVEPOINT restore_email');
    return false;
  }
}

/** A parallel transaction took the address after it was found free. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
