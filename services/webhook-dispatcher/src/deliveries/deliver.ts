import { newId } from '@atrium/contracts/ids';
import type { DeliveryState } from '@atrium/contracts/webhooks';
import { type Answer, decideOutcome, type Outcome } from './outcome.ts';
import type { Send } from './send.ts';
import { deliveryHeaders, type SigningKeys } from './signature.ts';
import type { AttemptRecord, LeasedDelivery } from './store.ts';

export interface Delivered {
  record: AttemptRecord;
  outcome: Outcome['kind'];
  /** No answer came before the deadline: what makes an endpoint slow rather than wrong. */
  timedOut: boolean;
}

export type Deliver = (delivery: LeasedDelivery) => Promise<Delivered>;

export interface DeliverOptions {
  send: Send;
  keysOf: (subscriptionId: string, sealedSecret: string) => SigningKeys;
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
  const { send, keysOf, delaysMs, random, clockMs } = options;
  return async (delivery) => {
    const attempt = delivery.attemptCount + 1;
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
        leaseId: delivery.leaseId,
        number: attempt,
        startedAt: new Date(startedMs),
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

  async function attemptSend(
    delivery: LeasedDelivery,
    startedMs: number,
  ): Promise<{ answer: Answer; durationMs: number }> {
    let keys: SigningKeys;
    try {
      keys = keysOf(delivery.subscriptionId, delivery.sealedSecret);
    } catch {
      // The key ring lacks this secret's key: the operator may still put it back before attempt 5.
      const error = 'The signing secret cannot be opened with the configured keys';
      return { answer: { kind: 'failure', timedOut: false, error }, durationMs: 0 };
    }
    const body = Buffer.from(delivery.body, 'utf8');
    const headers = deliveryHeaders(keys, {
      deliveryId: delivery.id,
      event: delivery.event,
      body,
      timestampSeconds: Math.floor(startedMs / 1000),
    });
    return send({ url: delivery.url, headers, body });
  }
}
