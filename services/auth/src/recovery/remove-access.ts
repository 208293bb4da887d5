import { sqlOf } from '@atrium/service-kit/database';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import type { Tx } from '../transaction-store.ts';
import { deleteFactorsSince } from '../second-factor/store.ts';
import { deleteDevicesSince } from '../devices/device-store.ts';

/**
 * Removes the factors and devices that the account has had only since `since`, with which an intruder
 * could come back. The caller holds the account's lock.
 */
export async function removeAccessSince(
  { recordAudit }: { recordAudit: RecordAudit },
  tx: Tx,
  access: { accountId: string; since: Date; origin: RequestOrigin; nowMs: number },
): Promise<void> {
  const { accountId, origin, nowMs } = access;
  for (const factor of await deleteFactorsSince(tx, access)) {
    const entry = { kind: 'factor.removed', accountId, origin, data: { factor }, nowMs } as const;
    await recordAudit(sqlOf(tx), entry);
  }
  await deleteDevicesSince(tx, access);
}
