import type { Sql } from '@atrium/service-kit/database';

/** Makes the devices that the account has known since `since`, or for less long, new ones again. */
export async function forgetDevicesSince(
  tx: Sql,
  { accountId, since }: { accountId: string; since: Date },
): Promise<void> {
  await tx.query('DELETE FROM account_devices WHERE account_id = $1 AND first_seen_at >= $2', [
    accountId,
    since,
  ]);
}

/**
 * Whether a login from the device has passed a second step that the account still has. One that is
 * older than all its factors has shown none of them.
 */
export async function hasShownFactor(
  sql: Sql,
  { accountId, fingerprint }: { accountId: string; fingerprint: Buffer },
): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM account_devices
     WHERE account_id = $1 AND fingerprint = $2 AND last_seen_at > (
       SELECT min(since) FROM (
         SELECT confirmed_at AS since FROM totp_factors WHERE account_id = $1
         UNION ALL SELECT created_at FROM passkeys WHERE account_id = $1
       ) AS factors
     )`,
    [accountId, fingerprint],
  );
  return rows.length > 0;
}
