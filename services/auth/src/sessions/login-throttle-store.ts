import type { Sql } from '@atrium/service-kit/database';

/** Whether the account of this address has been logged in to from the device before. */
export async function isKnownDevice(
  sql: Sql,
  { email, fingerprint }: { email: string; fingerprint: Buffer },
): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM accounts a JOIN account_devices d ON d.account_id = a.id
     WHERE lower(a.email) = lower($1) AND d.fingerprint = $2`,
    [email, fingerprint],
  );
  return rows.length > 0;
}
