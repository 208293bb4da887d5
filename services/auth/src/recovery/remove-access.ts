import type { Sql } from '@atrium/service-kit/database';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import { deleteFactorsSince } from '../second-factor/store.ts';
import { forgetDevicesSince } from '../sessions/device-trust-store.ts';

/**
 * Takes back what a thief does to stay: factors and devices that the account has since `since`. The
 * caller holds the account's lock.
 */
export async function dropPlanted(
  { recordAudit }: { recordAudit: RecordAudit },
  tx: Sql,
  planted: { accountId: string; since: Date; origin: RequestOrigin; nowMs: number },
): Promise<void> {
  const { accountId, origin, nowMs } = planted;
  for (const factor of await deleteFactorsSince(tx, planted)) {
    const data = { factor };
    await recordAudit(tx, { kind: 'factor.removed', accountId, origin, data, nowMs });
  }
  await forgetDevicesSince(tx, planted);
}
