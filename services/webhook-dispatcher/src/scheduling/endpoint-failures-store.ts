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
}

export function createEndpointFailuresStore(
  prisma: PrismaClient,
  clockMs: () => number,
): EndpointFailuresStore {
  const now = () => new Date(clockMs());

  async function disable(where: Prisma.SubscriptionWhereInput, reason: string): Promise<void> {
    await prisma.$transaction(async (tx) => {
      const disabled = await tx.subscription.updateManyAndReturn({
        where: { ...where, enabled: true, deletedAt: null },
        data: { enabled: false, disabledReason: reason, updatedAt: now() },
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
      await prisma.subscription.updateMany({
        where: { id: { in: ids }, failingSince: null },
        data: { failingSince: now() },
      });
    },
    async markRecovered(ids) {
      await prisma.subscription.updateMany({
        where: { id: { in: ids }, failingSince: { not: null } },
        data: { failingSince: null },
      });
    },
    disable: (ids, reason) => disable({ id: { in: ids } }, reason),
    disableAfterFiveDays(ids) {
      const failingSince = { lt: new Date(clockMs() - FIVE_DAYS_MS) };
      return disable({ id: { in: ids }, failingSince }, FIVE_DAYS_REASON);
    },
  };
}
