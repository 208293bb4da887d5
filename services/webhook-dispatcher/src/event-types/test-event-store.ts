import type { EventEnvelope } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { PrismaClient } from '../generated/client.ts';

export type TestEventResult =
  | { kind: 'stored'; deliveryId: string }
  | { kind: 'disabled' }
  | { kind: 'missing' };

export interface TestEventStore {
  /** Stores an event with one delivery, to this subscription alone. */
  store(subscriptionId: string, event: EventEnvelope, body: string): Promise<TestEventResult>;
}

export function createTestEventStore(prisma: PrismaClient): TestEventStore {
  return {
    async store(subscriptionId, { id: eventId, event, accountId, createdAt, requestId }, body) {
      const subscription = await prisma.subscription.findFirst({
        where: { id: subscriptionId, accountId, deletedAt: null },
        select: { enabled: true },
      });
      if (subscription === null) return { kind: 'missing' };
      if (!subscription.enabled) return { kind: 'disabled' };
      const deliveryId = newId('dlv', Date.parse(createdAt));
      await prisma.$transaction([
        prisma.event.create({
          data: {
            id: eventId,
            event,
            accountId,
            body,
            requestId: requestId ?? null,
            isTest: true,
            createdAt: new Date(createdAt),
          },
        }),
        prisma.delivery.create({ data: { id: deliveryId, eventId, subscriptionId, event } }),
        prisma.undelivered.create({ data: { subscriptionId, deliveryId, eventId } }),
      ]);
      return { kind: 'stored', deliveryId };
    },
  };
}
