import { newId } from '@atrium/contracts/ids';
import type { Attempt, LeasedDelivery } from '../sending/deliver.ts';

/** An attempt of this delivery, successful by default. */
export function attemptOf(
  delivery: Partial<Pick<LeasedDelivery, 'id' | 'subscriptionId' | 'leaseId' | 'attemptCount'>>,
  overrides: Partial<Attempt> = {},
): Attempt {
  return {
    attemptId: newId('att'),
    deliveryId: delivery.id ?? 'dlv_1',
    subscriptionId: delivery.subscriptionId ?? 'whk_1',
    leaseId: delivery.leaseId ?? '00000000-0000-4000-8000-000000000000',
    number: (delivery.attemptCount ?? 0) + 1,
    startedMs: Date.now(),
    durationMs: 5,
    outcome: 'delivered',
    status: 204,
    error: null,
    responseHeaders: null,
    responseExcerpt: null,
    nextAttemptInMs: null,
    ...overrides,
  };
}
