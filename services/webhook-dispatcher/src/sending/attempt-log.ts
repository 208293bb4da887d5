import { parseTraceparent } from '@atrium/contracts/traceparent';
import type { Logger } from '@atrium/service-kit/logger';
import type { Attempt, LeasedDelivery } from './deliver.ts';

/** Writes one wide line per attempt. */
export function logAttempt(logger: Logger, attempt: Attempt, delivery: LeasedDelivery): void {
  if (!logger.isLevelEnabled('info')) return;
  const line = {
    requestId: delivery.eventRequestId,
    trace_id: parseTraceparent(delivery.traceparent)?.traceId,
    deliveryId: delivery.id,
    webhookId: delivery.subscriptionId,
    event: delivery.event,
    attempt: attempt.number,
    outcome: attempt.outcome,
    status: attempt.status,
    error: attempt.error,
    durationMs: attempt.durationMs,
    nextAttemptInMs: attempt.nextAttemptInMs,
  };
  logger.info(line, 'delivery attempt');
}
