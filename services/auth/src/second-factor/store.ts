// Why it is so: docs/decisions/0007-every-second-factor-is-asked-for-and-challenges-are-in-postgres.md
import type { Sql } from '@atrium/service-kit/database';
import type { Tx } from '../database.ts';
import { type FactorName, type Factors, isSecondFactorOn } from './factor.ts';

/** Raw: one statement, or a change from one factor to another could look like none. */
const FIND_FACTORS = `
  SELECT EXISTS (SELECT FROM totp_factors WHERE account_id = $1 AND confirmed_at IS NOT NULL) AS totp,
    (SELECT count(*)::int FROM passkeys WHERE account_id = $1) AS passkeys,
    (SELECT count(*)::int FROM recovery_codes WHERE account_id = $1) AS "recoveryCodes"`;

export async function findFactors(sql: Sql, accountId: string): Promise<Factors> {
  const [factors] = await sql.query<Factors>(FIND_FACTORS, [accountId]);
  return factors ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
}

/**
 * Deletes the factors that were set up at or after `since`, with their recovery codes, and every
 * recovery code when no factor is left. The caller holds the account's lock.
 *
 * @returns the names of the deleted factors that were on
 */
export async function deleteFactorsSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<FactorName[]> {
  const pending = { confirmedAt: null, createdAt: { gte: since } };
  await tx.prisma.totpFactor.deleteMany({ where: { accountId, ...pending } });
  const totp = await tx.prisma.totpFactor.deleteMany({
    where: { accountId, confirmedAt: { gte: since } },
  });
  const passkeys = await tx.prisma.passkey.deleteMany({
    where: { accountId, createdAt: { gte: since } },
  });
  const isOn = isSecondFactorOn(await findFactors(tx, accountId));
  await tx.prisma.recoveryCode.deleteMany({
    where: { accountId, createdAt: { gte: isOn ? since : new Date(0) } },
  });
  return [
    ...Array.from({ length: totp.count }, () => 'totp' as const),
    ...Array.from({ length: passkeys.count }, () => 'passkey' as const),
  ];
}

/**
 * Whether the device has passed a second step since the account's oldest factor was set up. Raw SQL:
 * a minimum over two tables.
 */
export async function hasPassedSecondStep(
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
