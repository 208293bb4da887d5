import { newId } from '@atrium/contracts/ids';
import { type DeliveryState, MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/deliveries';
import type { SubscriptionSecrets } from '../subscriptions/secrets.ts';
import type { Sent } from './exchange.ts';
import { decideOutcome, type Outcome } from './outcome.ts';
import type { Send } from './send.ts';
import { deliveryHeaders, type Signers } from './signature.ts';

/** Where the deliveries of a subscription go and how they are signed, as it was when it was read. */
export interface Endpoint {
  url: string;
  sealedSecret: string;
  /** Custom headers, encrypted; null when the owner has set none. */
  sealedHeaders: string | null;
  /** The secret before the last rotation, while receivers may still use it. */
  previousSealedSecret: string | null;
  /** Unix milliseconds: until then Service-Signature is still made with the previous secret. */
  serviceSignatureSwitchMs: number | null;
  rateLimitPerSecond: number | null;
  /** The first failure since the last success, in Unix milliseconds; null while it answers well. */
  failingSinceMs: number | null;
}

/** A due delivery that this worker alone may attempt until its lease ends. */
export interface LeasedDelivery {
  id: string;
  leaseId: string;
  subscriptionId: string;
  event: string;
  body: string;
  /** Attempts made before this one, earlier redeliveries included. */
  attemptCount: number;
  /** The attempt number at which the delivery is exhausted; a redelivery raises it. */
  attemptsAllowed: number;
  eventRequestId: string | null;
  /** An earlier lease expired without a result: this attempt may repeat one that was sent. */
  takenOver: boolean;
  endpoint: Endpoint;
}

export interface AttemptRecord {
  attemptId: string;
  deliveryId: string;
  subscriptionId: string;
  leaseId: string;
  number: number;
  /** Unix time in milliseconds. */
  startedMs: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  responseExcerpt: string | null;
  state: DeliveryState;
  /** Set when the state is `failed`. */
  nextAttemptInMs: number | null;
  /** The endpoint is gone for good: disable its subscription, for this reason. */
  disableReason: string | null;
}

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
