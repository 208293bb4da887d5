import type { EventEnvelope } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { Tx } from '../database.ts';

export type TestEventResult =
  | { kind: 'stored'; deliveryId: string }
  | { kind: 'disabled' }
  | { kind: 'missing' };

/** Stores an event with one delivery, to this subscription alone. */
export async function storeTestEvent(
  tx: Tx,
  subscriptionId: string,
  { id: eventId, event, accountId, createdAt, requestId }: EventEnvelope,
  body: string,
): Promise<TestEventResult> {
  const subscription = await tx.prisma.subscription.findFirst({
    where: { id: subscriptionId, accountId, deletedAt: null },
    select: { enabled: true },
  });
  if (subscription === null) return { kind: 'missing' };
  if (!subscription.enabled) return { kind: 'disabled' };
  const deliveryId = newId('dlv', Date.parse(createdAt));
  await tx.prisma.event.create({
    data: {
      id: eventId,
      event,
      accountId,
      body,
      requestId: requestId ?? null,
      traceparent: tx.traceparentFor(accountId) ?? null,
      isTest: true,
      createdAt: new Date(createdAt),
    },
  });
  await tx.prisma.delivery.create({ data: { id: deliveryId, eventId, subscriptionId, event } });
  await tx.prisma.undelivered.create({ data: { subscriptionId, deliveryId, eventId } });
  return { kind: 'stored', deliveryId };
}
