import type { Sql } from '@atrium/service-kit/database';

/** Marks the address as the owner's; false when it was, or is the account's no more. */
export async function markVerified(
  sql: Sql,
  { accountId, email, nowMs }: { accountId: string; email: string; nowMs: number },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE accounts SET email_verified_at = $3, updated_at = $3
     WHERE id = $1 AND email = $2 AND email_verified_at IS NULL RETURNING 1`,
    [accountId, email, new Date(nowMs)],
  );
  return rows.length === 1;
}
