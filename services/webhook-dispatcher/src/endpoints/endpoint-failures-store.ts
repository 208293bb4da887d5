import { type DisabledReason, DISABLED_REASONS } from '@atrium/contracts/disabled-reasons';
import type { PrismaClient } from '../generated/client.ts';
import { disableSubscriptions } from '../subscriptions/disable-store.ts';

const FIVE_DAYS_MS = 5 * 86_400_000;

export interface EndpointFailuresStore {
  /** Stores the present as the time since when these fail, unless they already fail. */
  markFailing(subscriptionIds: string[]): Promise<void>;
  markRecovered(subscriptionIds: string[]): Promise<void>;
  /** Disables those that are enabled and has an email sent to their owners: both or neither. */
  disable(subscriptionIds: string[], reason: DisabledReason): Promise<void>;
  /** The same for those that have failed for all of the last five days. */
  disableAfterFiveDays(subscriptionIds: string[]): Promise<void>;
}

export function createEndpointFailuresStore(prisma: PrismaClient): EndpointFailuresStore {
  return {
    async markFailing(ids) {
      // Raw: by the clock of Postgres.
      await prisma.$executeRaw`
        UPDATE subscriptions SET failing_since = now()
        WHERE id = ANY(${ids}) AND failing_since IS NULL`;
    },
    async markRecovered(ids) {
      await prisma.subscription.updateMany({
        where: { id: { in: ids }, failingSince: { not: null } },
        data: { failingSince: null },
      });
    },
    disable: (ids, reason) => disableSubscriptions(prisma, ids, reason),
    disableAfterFiveDays: (ids) =>
      disableSubscriptions(prisma, ids, DISABLED_REASONS.failing, (now) => ({
        failingSince: { lt: new Date(now.getTime() - FIVE_DAYS_MS) },
      })),
  };
}
