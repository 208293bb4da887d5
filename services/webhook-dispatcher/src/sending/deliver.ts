import { newId } from '@atrium/contracts/ids';
import { isSampled } from '@atrium/contracts/traceparent';
import { MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/webhooks/deliveries';
import type { SubscriptionSecrets } from '../subscriptions/secrets.ts';
import type { SendElsewhere } from './destination-message.ts';
import { type Answer, decideOutcome, type Outcome } from './outcome.ts';
import type { Postponement, Send, SendResult } from './send.ts';
import { deliveryHeaders, type Signers } from './signature.ts';

/** Where the deliveries of a subscription go and how they are signed, as of the lease. */
export interface Endpoint {
  accountId: string;
  url: string;
  sealedSecret: string;
  /** Custom headers, encrypted; null when the owner has set none. */
  sealedHeaders: string | null;
  /** The destination with its credentials, encrypted; null for HTTP. */
  sealedDestination: string | null;
  /** The secret before the last rotation, while receivers may still use it. */
  previousSealedSecret: string | null;
  /** Whether Service-Signature is still made with the previous secret. */
  signsWithPrevious: boolean;
  rateLimitPerSecond: number | null;
  /** The first failure since the last success, in Unix milliseconds; null while all is well. */
  failingSinceMs: number | null;
}

/** A due delivery that this worker alone may attempt until its lease expires. */
export interface LeasedDelivery {
  id: string;
  leaseId: string;
  /** Unix milliseconds: a request that starts later could outlast the lease and be sent twice. */
  startBeforeMs: number;
  subscriptionId: string;
  event: string;
  body: string;
  bodyBytes: number;
  /** Attempts made before this one, earlier redeliveries included. */
  attemptCount: number;
  /** The attempt number at which the delivery is exhausted; a redelivery raises it. */
  attemptsAllowed: number;
  /** Unix milliseconds: since when every look-up of its name has taken too long; null for never. */
  postponedSinceMs: number | null;
  eventRequestId: string | null;
  /** The trace of the event; given to the receiver when the trace is sampled. */
  traceparent: string | null;
  /** Unix milliseconds: when it was due, if the event has a trace, and when it was leased. */
  dueMs: number | null;
  leasedMs: number;
  /** An earlier lease expired without a result: this attempt may repeat one that was sent. */
  isTakenOver: boolean;
  /** Leases that have expired since the last attempt was recorded. */
  takeOvers: number;
  endpoint: Endpoint;
}

/** An attempt that was made, as it is recorded. */
export interface Attempt {
  attemptId: string;
  deliveryId: string;
  subscriptionId: string;
  leaseId: string;
  number: number;
  /** Unix milliseconds. */
  startedMs: number;
  durationMs: number;
  outcome: Outcome['kind'];
  /** Null when there was no answer. */
  status: number | null;
  /** Null when it was delivered. */
  error: string | null;
  /** Null when it was delivered. */
  responseHeaders: string | null;
  responseExcerpt: string | null;
  /** Null unless the outcome is `retry`. */
  nextAttemptInMs: number | null;
}

/** No attempt was made; the delivery is due again after the delay. */
export interface PostponedAttempt {
  outcome: 'postponed';
  cause: Postponement['cause'];
  reason: string;
  delayMs: number;
}

export type Deliver = (delivery: LeasedDelivery) => Promise<Attempt | PostponedAttempt>;

/** Look-ups that time out spend no attempt for this long, then they count. */
const POSTPONE_MAX_MS = 86_400_000;
const POSTPONED_MS = { lookup: 10_000, busy: 1_000 };
/** After so many expired leases the attempt is recorded as failed: the delivery may be what crashes the worker. */
const TAKE_OVERS_MAX = 2;
/** Of the last attempt, which deliveries that only waited beside such a one must not lose. */
const LAST_TAKE_OVERS_MAX = 10;

export interface DeliverOptions {
  send: Send;
  sendElsewhere: SendElsewhere;
  secrets: SubscriptionSecrets;
  delaysMs: readonly number[];
  random: () => number;
  clockMs: () => number;
}

/** Makes one attempt: sign, send, decide. Never rejects. */
export function createDeliver(options: DeliverOptions): Deliver {
  const { send, sendElsewhere, secrets, delaysMs, random, clockMs } = options;

  return async (delivery) => {
    const number = delivery.attemptCount + 1;
    // A redelivery starts the schedule again, so the place in it counts back from its end.
    const scheduleNumber = number - (delivery.attemptsAllowed - MAX_DELIVERY_ATTEMPTS);
    const startedMs = clockMs();
    const { answer: result, durationMs } = await signAndSend(delivery, startedMs);
    const nowMs = clockMs();
    if (result.kind === 'postponed') {
      const { cause, reason } = result;
      if (cause === 'shutdown') return { outcome: 'postponed', cause, reason, delayMs: 0 };
      const postponedForMs = nowMs - (delivery.postponedSinceMs ?? nowMs);
      const isPostponed = cause === 'busy' || postponedForMs < POSTPONE_MAX_MS;
      if (isPostponed) return { outcome: 'postponed', cause, reason, delayMs: POSTPONED_MS[cause] };
    }
    const answer: Answer =
      result.kind === 'postponed' ? { kind: 'failure', error: result.reason } : result;
    const outcome = decideOutcome({
      answer,
      attempt: scheduleNumber,
      delaysMs,
      random: random(),
      nowMs,
    });
    return {
      attemptId: newId('att', nowMs),
      deliveryId: delivery.id,
      subscriptionId: delivery.subscriptionId,
      leaseId: delivery.leaseId,
      number,
      startedMs,
      durationMs,
      outcome: outcome.kind,
      status: answer.kind === 'response' ? answer.status : null,
      error: outcome.kind === 'delivered' ? null : outcome.error,
      responseHeaders: answer.kind === 'response' ? answer.headers : null,
      responseExcerpt: answer.kind === 'response' ? answer.excerpt : null,
      nextAttemptInMs: outcome.kind === 'retry' ? outcome.delayMs : null,
    };
  };

  function signAndSend(
    delivery: LeasedDelivery,
    startedMs: number,
  ): Promise<SendResult> | SendResult {
    const { subscriptionId, endpoint } = delivery;
    const isLast = delivery.attemptCount + 1 >= delivery.attemptsAllowed;
    if (delivery.takeOvers > (isLast ? LAST_TAKE_OVERS_MAX : TAKE_OVERS_MAX)) {
      const error = 'The worker ended during the attempt';
      return { answer: { kind: 'failure', error }, durationMs: 0 };
    }
    const { accountId, url, sealedDestination } = endpoint;
    const body = Buffer.from(delivery.body, 'utf8');
    let headers: string[];
    try {
      headers = deliveryHeaders(signersOf(secrets, delivery), {
        deliveryId: delivery.id,
        event: delivery.event,
        body,
        timestampSeconds: Math.floor(startedMs / 1000),
      });
      if (endpoint.sealedHeaders !== null) {
        headers.push(...secrets.headersOf(subscriptionId, endpoint.sealedHeaders));
      }
      if (isSampled(delivery.traceparent)) headers.push('traceparent', delivery.traceparent);
    } catch {
      // The key ring lacks a key: the operator may restore it before the last attempt.
      const error = 'The secret or the headers cannot be opened with the configured keys';
      return { answer: { kind: 'failure', error }, durationMs: 0 };
    }
    if (sealedDestination === null) return send({ accountId, url, headers, body });
    const { id: deliveryId, event } = delivery;
    const message = { accountId, subscriptionId, sealedDestination, url, deliveryId, event };
    return sendElsewhere({ ...message, startedMs, headers, body });
  }
}

/** What the signatures of an endpoint are made with. */
export type SigningEndpoint = Pick<
  Endpoint,
  'sealedSecret' | 'previousSealedSecret' | 'signsWithPrevious'
>;

/** The keys that sign a delivery now. Throws when the key ring lacks one. */
export function signersOf(
  secrets: Pick<SubscriptionSecrets, 'keysOf'>,
  { subscriptionId, endpoint }: { subscriptionId: string; endpoint: SigningEndpoint },
): Signers {
  const { sealedSecret, previousSealedSecret: previous, signsWithPrevious } = endpoint;
  return {
    current: secrets.keysOf(subscriptionId, sealedSecret),
    previous: previous === null ? undefined : secrets.keysOf(subscriptionId, previous),
    servicePrevious: signsWithPrevious,
  };
}
