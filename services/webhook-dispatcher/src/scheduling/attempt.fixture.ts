import { newId } from '@atrium/contracts/ids';
import type { AttemptRecord } from '../sending/deliver.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';

/** What an attempt of this delivery is stored as; it succeeded, unless told otherwise. */
export function attemptOf(
  delivery: Partial<Pick<LeasedDelivery, 'id' | 'subscriptionId' | 'leaseId' | 'attemptCount'>>,
  wishes: Partial<AttemptRecord> = {},
): AttemptRecord {
  return {
    attemptId: newId('att'),
    deliveryId: delivery.id ?? 'dlv_1',
    subscriptionId: delivery.subscriptionId ?? 'whk_1',
    leaseId: delivery.leaseId ?? '00000000-0000-4000-8000-000000000000',
    number: (delivery.attemptCount ?? 0) + 1,
    startedMs: Date.now(),
    durationMs: 5,
    status: 204,
    error: null,
    responseExcerpt: null,
    state: 'delivered',
    nextAttemptInMs: null,
    disableReason: null,
    ...wishes,
  };
}
