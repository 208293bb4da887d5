import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import { createDeliver, type Delivered } from './deliveries/deliver.ts';
import { Drain } from './deliveries/drain.ts';
import { type AddressGuard, createEgressAgent, resolveHost } from './deliveries/egress.ts';
import { createDeliveryMetrics } from './deliveries/metrics.ts';
import { createSender } from './deliveries/send.ts';
import { createDeliveryStore, type LeasedDelivery } from './deliveries/store.ts';
import { subscribeToWakes } from './deliveries/wake.ts';
import { startIntake } from './intake/intake.ts';
import { createIntakeStore } from './intake/store.ts';
import { createSigningKeyCache } from './subscriptions/secrets.ts';

/** Requests to one endpoint at once, so that a slow one does not take every connection. */
const ENDPOINT_CONCURRENCY = 10;
/** Several subscriptions may share an origin; this bounds them together. */
const CONNECTIONS_PER_ORIGIN = 128;

export interface DeliveryWorkerDeps {
  logger: Logger;
  metrics: Metrics;
  database: Database;
  /** Sessions that commit asynchronously; see createDeliveryStore. */
  leasing: Database;
  redisUrl: string;
  queuePrefix: string;
  keyRing: KeyRing;
  guard: AddressGuard;
  allowHttp: boolean;
  requestTimeoutMs: number;
  delaysMs: readonly number[];
  concurrency: number;
  wakeWorkers: () => Promise<void>;
  clockMs: () => number;
}

/** Starts intake and delivery. On disposal takes nothing new and finishes what is in flight. */
export function startDeliveryWorker(deps: DeliveryWorkerDeps): AsyncDisposable {
  const { logger, database, redisUrl, queuePrefix, guard, requestTimeoutMs, clockMs } = deps;
  const stack = new AsyncDisposableStack();
  const agent = createEgressAgent({
    guard,
    resolve: resolveHost,
    connectTimeoutMs: requestTimeoutMs,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  });
  stack.defer(() => agent.destroy());
  const send = createSender({
    agent,
    guard,
    allowHttp: deps.allowHttp,
    timeoutMs: requestTimeoutMs,
  });
  const metrics = createDeliveryMetrics(deps.metrics, () => drain.heldCount);
  const drain: Drain = stack.use(
    new Drain({
      store: createDeliveryStore(database, deps.leasing),
      deliver: createDeliver({
        send,
        keysOf: createSigningKeyCache(deps.keyRing),
        delaysMs: deps.delaysMs,
        random: Math.random,
        clockMs,
      }),
      logger,
      concurrency: deps.concurrency,
      endpointConcurrency: ENDPOINT_CONCURRENCY,
      requestTimeoutMs,
      onAttempt: (delivered, delivery) => {
        metrics.observe(delivered);
        logAttempt(logger, delivered, delivery);
      },
    }),
  );
  stack.use(subscribeToWakes({ redisUrl, queuePrefix, logger, wake: () => drain.wake() }));
  stack.use(
    startIntake({
      store: createIntakeStore(database),
      redisUrl,
      queuePrefix,
      logger,
      clockMs,
      onDeliveries: () => {
        drain.wake();
        void deps.wakeWorkers();
      },
    }),
  );
  return stack;
}

/** One wide line per attempt. Successes only at debug: at full speed there are thousands a second. */
function logAttempt(
  logger: Logger,
  { outcome, record }: Delivered,
  delivery: LeasedDelivery,
): void {
  const line = {
    requestId: delivery.eventRequestId,
    deliveryId: delivery.id,
    webhookId: delivery.subscriptionId,
    event: delivery.event,
    attempt: record.number,
    outcome,
    status: record.status,
    error: record.error,
    durationMs: record.durationMs,
    nextAttemptInMs: record.nextAttemptInMs,
  };
  if (outcome === 'delivered') logger.debug(line, 'delivery attempt');
  else logger.info(line, 'delivery attempt');
}
