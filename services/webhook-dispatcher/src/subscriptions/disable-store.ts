import type { DisabledReason } from '@atrium/contracts/webhooks/disabled-reasons';
import { INBOX } from '@atrium/contracts/queues';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';

/** Raw: the clock of Postgres, so that no worker whose own clock is ahead disables an endpoint. */
const NOW = 'SELECT now() AS now';

/** Disables those that are enabled and meet the condition, and has an email sent to their owners: both or neither. */
export async function disableSubscriptions(
  database: Database,
  ids: string[],
  reason: DisabledReason,
  condition: (now: Date) => Prisma.SubscriptionWhereInput = () => ({}),
): Promise<void> {
  await database.transaction({ job: 'disable-webhooks' }, async (tx) => {
    const [clock] = await tx.query<{ now: Date }>(NOW);
    if (clock === undefined) throw new Error('Postgres returned no time');
    const { now } = clock;
    const disabled = await tx.prisma.subscription.updateManyAndReturn({
      where: { ...condition(now), id: { in: ids }, enabled: true, deletedAt: null },
      data: { enabled: false, disabledReason: reason, updatedAt: now },
      select: { id: true, accountId: true, url: true },
    });
    for (const { id, accountId, url } of disabled) {
      const data = { webhookId: id, url, reason };
      const message = { queue: INBOX.auth, kind: 'webhook.disabled', accountId, data } as const;
      await tx.append(message);
    }
  });
}
