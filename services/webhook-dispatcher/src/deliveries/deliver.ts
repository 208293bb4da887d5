import { newId } from '@atrium/contracts/ids';
import { type DeliveryState, MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/webhooks';
import type { SubscriptionSecrets } from '../subscriptions/secrets.ts';
import type { Sent } from './exchange.ts';
import { decideOutcome, type Outcome } from './outcome.ts';
import type { Send } from './send.ts';
import { deliveryHeaders, type Signers } from './signature.ts';
import type { AttemptRecord } from './attempt-store.ts';
import type { LeasedDelivery } from './store.ts';

export interface Delivered {
  record: AttemptRecord;
  outcome: Outcome['kind'];
  /** No answer came before the deadline: what makes an endpoint slow rather than wrong. */
  timedOut: boolean;
}

export type Deliver = (delivery: LeasedDelivery) => Promise<Delivered>;

export interface DeliverOptions {
  send: Send;
  secrets: SubscriptionSecrets;
  delaysMs: readonly number[];
  random: () => number;
  clockMs: () => number;
}

const STATES = {
  delivered: 'delivered',
  retry: 'failed',
  exhausted: 'exhausted',
  gone: 'exhausted',
} as const satisfies Record<Outcome['kind'], DeliveryState>;

/** Makes one attempt: sign, send, decide. Never rejects. */
export function createDeliver(options: DeliverOptions): Deliver {
  const { send, secrets, delaysMs, random, clockMs } = options;
  return async (delivery) => {
    const number = delivery.attemptCount + 1;
    // A redelivery begins the schedule again: its budget ends later, and so does its place in it.
    const attempt = number - (delivery.attemptsAllowed - MAX_DELIVERY_ATTEMPTS);
    const startedMs = clockMs();
    const { answer, durationMs } = await attemptSend(delivery, startedMs);
    const nowMs = clockMs();
    const outcome = decideOutcome({ answer, attempt, delaysMs, random: random(), nowMs });
    return {
      outcome: outcome.kind,
      timedOut: answer.kind === 'failure' && answer.timedOut,
      record: {
        attemptId: newId('att', nowMs),
        deliveryId: delivery.id,
        subscriptionId: delivery.subscriptionId,
        leaseId: delivery.leaseId,
        number,
        startedMs,
        durationMs,
        status: answer.kind === 'response' ? answer.status : null,
        error: outcome.kind === 'delivered' ? null : outcome.error,
        responseExcerpt: answer.kind === 'response' ? answer.excerpt : null,
        state: STATES[outcome.kind],
        nextAttemptInMs: outcome.kind === 'retry' ? outcome.delayMs : null,
        disableReason: outcome.kind === 'gone' ? 'The endpoint answered 410 Gone' : null,
      },
    };
  };

  function attemptSend(delivery: LeasedDelivery, startedMs: number): Promise<Sent> | Sent {
    const body = Buffer.from(delivery.body, 'utf8');
    let headers: string[];
    try {
      headers = deliveryHeaders(signersOf(delivery, startedMs), {
        deliveryId: delivery.id,
        event: delivery.event,
        body,
        timestampSeconds: Math.floor(startedMs / 1000),
      });
      const { subscriptionId, endpoint } = delivery;
      const { sealedHeaders } = endpoint;
      if (sealedHeaders !== null) headers.push(...secrets.headersOf(subscriptionId, sealedHeaders));
    } catch {
      // The key ring lacks a key: the operator may still put it back before the last attempt.
      const error = 'The secret or the headers cannot be opened with the configured keys';
      return { answer: { kind: 'failure', timedOut: false, error }, durationMs: 0 };
    }
    return send({ url: delivery.endpoint.url, headers, body });
  }

  function signersOf(delivery: LeasedDelivery, nowMs: number): Signers {
    const { subscriptionId, endpoint } = delivery;
    const { previousSealedSecret, serviceSignatureSwitchMs: switchMs } = endpoint;
    return {
      current: secrets.keysOf(subscriptionId, endpoint.sealedSecret),
      previous:
        previousSealedSecret === null
          ? undefined
          : secrets.keysOf(subscriptionId, previousSealedSecret),
      servicePrevious: switchMs !== null && nowMs < switchMs,
    };
  }
}
