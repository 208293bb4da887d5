import { INBOX } from '@atrium/contracts/queues';
import { appendMessage } from '@atrium/events/outbox';
import { sqlOf, TRANSACTION_LIMITS } from '@atrium/service-kit/database';
import type { Prisma, PrismaClient } from '../generated/client.ts';

const FIVE_DAYS_MS = 5 * 86_400_000;
const FIVE_DAYS_REASON = 'Every delivery failed for five days';

export interface EndpointFailuresStore {
  /** Stores the present as the time since when these fail, unless they already fail. */
  markFailing(subscriptionIds: string[]): Promise<void>;
  markRecovered(subscriptionIds: string[]): Promise<void>;
  /** Disables those that are enabled and has an email sent to their owners: both or neither. */
  disable(subscriptionIds: string[], reason: string): Promise<void>;
  /** The same for those that have failed for all of the last five days. */
  disableAfterFiveDays(subscriptionIds: string[]): Promise<void>;
  /** The same for those that are paused. */
  disablePaused(subscriptionIds: string[], reason: string): Promise<void>;
}

/** Raw: the clock of Postgres, so that no worker whose own clock is ahead disables an endpoint. */
const NOW = 'SELECT now() AS now';

export function createEndpointFailuresStore(prisma: PrismaClient): EndpointFailuresStore {
  async function disable(
    ids: string[],
    reason: string,
    condition: (now: Date) => Prisma.SubscriptionWhereInput = () => ({}),
  ): Promise<void> {
    await prisma.$transaction(async (tx) => {
      const [clock] = await sqlOf(tx).query<{ now: Date }>(NOW);
      if (clock === undefined) throw new Error('Postgres returned no time');
      const { now } = clock;
      const disabled = await tx.subscription.updateManyAndReturn({
        where: { ...condition(now), id: { in: ids }, enabled: true, deletedAt: null },
        data: { enabled: false, disabledReason: reason, updatedAt: now },
        select: { id: true, accountId: true, url: true },
      });
      for (const { id, accountId, url } of disabled) {
        const data = { webhookId: id, url, reason };
        const message = { queue: INBOX.auth, kind: 'webhook.disabled', accountId, data } as const;
        await appendMessage(sqlOf(tx), message);
      }
    }, TRANSACTION_LIMITS);
  }

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
    disable: (ids, reason) => disable(ids, reason),
    disableAfterFiveDays: (ids) =>
      disable(ids, FIVE_DAYS_REASON, (now) => ({
        failingSince: { lt: new Date(now.getTime() - FIVE_DAYS_MS) },
      })),
    disablePaused: (ids, reason) => disable(ids, reason, () => ({ paused: true })),
  };
}
