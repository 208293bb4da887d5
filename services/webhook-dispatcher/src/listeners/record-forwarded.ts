import { MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/webhooks/deliveries';
import { newId } from '@atrium/contracts/ids';
import type { ForwardedBody } from '@atrium/contracts/webhooks/listeners';
import type { RecordAttempts } from '../scheduling/attempt-store.ts';
import type { Attempt } from '../sending/deliver.ts';
import { type Answer, decideOutcome } from '../sending/outcome.ts';
import type { ListenerStore } from './store.ts';

export interface ForwardedDeps {
  listeners: Pick<ListenerStore, 'findLease'>;
  recordAttempts: RecordAttempts;
  delaysMs: readonly number[];
  clockMs: () => number;
}

/**
 * Records what the receiver of a listener answered, by the rules and the schedule of every delivery.
 *
 * @returns false when the lease has ended: the delivery is fetched again
 */
export async function recordForwarded(
  { listeners, recordAttempts, delaysMs, clockMs }: ForwardedDeps,
  forwarded: ForwardedBody & { deliveryId: string; accountId: string },
): Promise<boolean> {
  const { deliveryId, leaseId, accountId, durationMs, status } = forwarded;
  const lease = await listeners.findLease(deliveryId, leaseId, accountId);
  if (lease === undefined) return false;
  const nowMs = clockMs();
  const number = lease.attemptCount + 1;
  const answer: Answer =
    status === null
      ? { kind: 'failure', error: forwarded.error ?? 'No response' }
      : { kind: 'response', status, headers: null, excerpt: null };
  const outcome = decideOutcome({
    answer,
    attempt: number - (lease.attemptsAllowed - MAX_DELIVERY_ATTEMPTS),
    delaysMs,
    random: Math.random(),
    nowMs,
  });
  const attempt: Attempt = {
    attemptId: newId('att', nowMs),
    deliveryId,
    subscriptionId: lease.subscriptionId,
    leaseId,
    number,
    startedMs: nowMs - durationMs,
    durationMs,
    outcome: outcome.kind,
    status,
    error: outcome.kind === 'delivered' ? null : outcome.error,
    responseHeaders: null,
    responseExcerpt: null,
    nextAttemptInMs: outcome.kind === 'retry' ? outcome.delayMs : null,
  };
  return (await recordAttempts([attempt])).has(deliveryId);
}
