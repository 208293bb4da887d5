import {
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from '@atrium/contracts/traceparent';
import type { FinishedSpan, Tracing } from '@atrium/events/tracing';
import type { Attempt, Deliver, LeasedDelivery } from './deliver.ts';

export interface TracedAttempts {
  deliver: Deliver;
  /** Records how long an attempt took to be stored, up to now. */
  recordStored(attempt: Attempt, delivery: LeasedDelivery): void;
}

/**
 * Records the waits and attempts of deliveries whose event has a sampled trace, and gives the receiver the context of
 * its attempt. Of other traces only a failed attempt is recorded.
 */
export function traceAttempts(deliver: Deliver, tracing: Tracing): TracedAttempts {
  /** By the clock of this process, as all times of a span are that can be: an attempt has that of the database. */
  const endedMs = new WeakMap<Attempt, number>();

  async function deliverSampled(delivery: LeasedDelivery, parent: TraceContext) {
    const context = tracing.child(parent);
    const startMs = Date.now();
    const { dueMs, leasedMs } = delivery;
    const wait = { kind: 'internal', parent, attributes: attributesOf(delivery) } as const;
    if (dueMs !== null) {
      tracing.record({ ...wait, name: 'wait for lease', startMs: dueMs, endMs: leasedMs });
    }
    tracing.record({ ...wait, name: 'wait for slot', startMs: leasedMs, endMs: startMs });
    const attempt = await deliver({ ...delivery, traceparent: formatTraceparent(context) });
    const endMs = Date.now();
    if (attempt.outcome === 'postponed') {
      tracing.record({ ...wait, name: 'postponed', startMs, endMs, error: attempt.reason });
      return attempt;
    }
    endedMs.set(attempt, endMs);
    tracing.record({ ...attemptSpan(attempt, delivery, endMs), parent, context });
    if (attempt.nextAttemptInMs !== null) {
      const dueAgainMs = endMs + attempt.nextAttemptInMs;
      tracing.record({ ...wait, name: 'wait for retry', startMs: endMs, endMs: dueAgainMs });
    }
    return attempt;
  }

  return {
    async deliver(delivery) {
      const parent = parseTraceparent(delivery.traceparent);
      if (parent?.isSampled === true) return deliverSampled(delivery, parent);
      const attempt = await deliver(delivery);
      if (parent !== undefined && attempt.outcome !== 'postponed' && attempt.error !== null) {
        tracing.recordFailure({ ...attemptSpan(attempt, delivery, Date.now()), parent });
      }
      return attempt;
    },
    recordStored(attempt, delivery) {
      const parent = parseTraceparent(delivery.traceparent);
      const startMs = endedMs.get(attempt);
      if (parent === undefined || startMs === undefined) return;
      tracing.record({
        name: 'store attempt',
        kind: 'internal',
        parent,
        startMs,
        endMs: Date.now(),
        attributes: attributesOf(delivery),
      });
    },
  };
}

function attemptSpan(attempt: Attempt, delivery: LeasedDelivery, endMs: number): FinishedSpan {
  const { durationMs, status, number, outcome, error } = attempt;
  const isHttp = delivery.endpoint.sealedDestination === null;
  const address = URL.parse(delivery.endpoint.url)?.hostname;
  return {
    name: isHttp ? 'POST' : 'send message',
    kind: isHttp ? 'client' : 'producer',
    startMs: endMs - durationMs,
    endMs,
    attributes: {
      ...attributesOf(delivery),
      ...(isHttp && { 'http.request.method': 'POST' }),
      ...(address !== undefined && { 'server.address': address }),
      ...(status !== null && { 'http.response.status_code': status }),
      'atrium.attempt': number,
      'atrium.outcome': outcome,
    },
    error: error ?? undefined,
  };
}

const attributesOf = ({ id, subscriptionId }: LeasedDelivery) => ({
  'atrium.delivery_id': id,
  'atrium.webhook_id': subscriptionId,
});
