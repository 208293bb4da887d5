import type { Tx } from '../database.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { AuditLog } from '../audit/record.ts';
import { deleteFactorsSince } from '../second-factor/store.ts';
import { deleteDevicesSince } from '../devices/device-store.ts';

/**
 * Removes the factors and devices that the account has had only since `since`, with which an intruder
 * could come back. The caller holds the account's lock.
 */
export async function removeAccessSince(
  audit: AuditLog,
  tx: Tx,
  access: { accountId: string; since: Date; origin: RequestOrigin },
): Promise<void> {
  const { accountId, origin } = access;
  for (const factor of await deleteFactorsSince(tx, access)) {
    await audit.record(tx, { kind: 'factor.removed', accountId, origin, data: { factor } });
  }
  await deleteDevicesSince(tx, access);
}
