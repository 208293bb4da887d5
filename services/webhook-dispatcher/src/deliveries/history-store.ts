import type { EventName } from '@atrium/contracts/events';
import type { ListQuery } from '@atrium/contracts/lists';
import type { Delivery, DeliveryDetail, DeliveryState } from '@atrium/contracts/webhooks';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { PrismaClient } from '../generated/client.ts';

export interface DeliveryHistory {
  /** Undefined when the account has no such subscription. */
  list(
    subscriptionId: string,
    accountId: string,
    query: ListQuery,
  ): Promise<{ data: Delivery[]; nextCursor: string | null } | undefined>;
  find(id: string, accountId: string): Promise<DeliveryDetail | undefined>;
}

interface DeliveryRow {
  id: string;
  subscriptionId: string;
  eventId: string;
  state: string;
  attemptCount: number;
  availableAt: Date | null;
  leaseId: string | null;
  createdAt: Date;
  event: { event: string };
}

/** What owners see of their deliveries. */
export function createDeliveryHistory(prisma: PrismaClient): DeliveryHistory {
  return {
    async list(subscriptionId, accountId, { limit, cursor }) {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
      const subscription = await prisma.subscription.findFirst({
        where: { id: subscriptionId, accountId },
        select: { id: true },
      });
      if (subscription === null) return undefined;
      const rows = await prisma.delivery.findMany({
        where: { subscriptionId, ...(before === undefined ? {} : { id: { lt: String(before) } }) },
        include: { event: { select: { event: true } } },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      return toPage(rows.map(toDelivery), limit, ({ id }) => [id]);
    },

    async find(id, accountId) {
      const row = await prisma.delivery.findFirst({
        where: { id, subscription: { accountId } },
        include: {
          event: { select: { event: true, body: true } },
          attempts: { orderBy: { number: 'asc' } },
        },
      });
      if (row === null) return undefined;
      return {
        ...toDelivery(row),
        body: row.event.body,
        attempts: row.attempts.map((attempt) => ({
          id: attempt.id,
          number: attempt.number,
          startedAt: attempt.startedAt.toISOString(),
          durationMs: attempt.durationMs,
          status: attempt.status,
          error: attempt.error,
          responseExcerpt: attempt.responseExcerpt,
        })),
      };
    },
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  // Under a lease `availableAt` is the lease's end: the attempt is being made now.
  const scheduled = row.leaseId === null ? row.availableAt : null;
  return {
    id: row.id,
    webhookId: row.subscriptionId,
    eventId: row.eventId,
    event: row.event.event as EventName,
    state: row.state as DeliveryState,
    attemptCount: row.attemptCount,
    nextAttemptAt: scheduled?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
