import { randomUUID } from 'node:crypto';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import { createDeliver, type Delivered, type LeasedDelivery } from './sending/deliver.ts';
import { Drain } from './scheduling/delivery-loop.ts';
import type { AddressGuard } from './sending/address-guard.ts';
import { createBacklogReader } from './scheduling/backlog-store.ts';
import { EndpointHealth } from './scheduling/endpoint-failures.ts';
import { createEndpointRate } from './scheduling/endpoint-rate.ts';
import { createHealthStore } from './scheduling/endpoint-failures-store.ts';
import { createDeliveryMetrics } from './scheduling/metrics.ts';
import { startMissingBodiesCheck } from './retention/missing-bodies.ts';
import { createResolver } from './sending/resolver.ts';
import { assertProgress } from './scheduling/progress.ts';
import { openSender } from './sending/send.ts';
import { createDeliveryStore } from './scheduling/lease-store.ts';
import { createWorkerWaker, subscribeToWakes, type WakeWorkers } from './scheduling/wake.ts';
import type { Redis } from 'ioredis';
import { startIntake } from './ingestion/ingest.ts';
import { createIntakeStore } from './ingestion/store.ts';
import { startRecoveries } from './recoveries/recoveries.ts';
import { startRetention } from './retention/retention.ts';
import { createSubscriptionSecrets } from './subscriptions/secrets.ts';

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
  /** How long bodies and attempts are kept. */
  retentionDays: number;
  redis: Redis;
  clockMs: () => number;
  /** See DrainOptions. */
  scanMs?: number;
}

export interface DeliveryWorker extends AsyncDisposable {
  /** Rejects when this worker is stuck. */
  checkProgress(): Promise<void>;
}

/** Starts intake and delivery. On disposal takes nothing new and finishes what is in flight. */
export function startDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { logger, database, redis, redisUrl, queuePrefix, guard, requestTimeoutMs, clockMs } = deps;
  const origin = randomUUID();
  const wakeOthers = createWorkerWaker(redis, queuePrefix, logger, origin);
  const wakeWorkers: WakeWorkers = (subscriptionIds) => {
    drain.wake(subscriptionIds);
    return wakeOthers(subscriptionIds);
  };
  const stack = new AsyncDisposableStack();
  const { send } = stack.use(
    openSender({
      guard,
      resolve: createResolver({ clockMs }),
      allowHttp: deps.allowHttp,
      timeoutMs: requestTimeoutMs,
      connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
    }),
  );
  const readBacklog = createBacklogReader(database);
  const metrics = createDeliveryMetrics(deps.metrics, {
    heldCount: () => drain.heldCount,
    circuits: () => drain.circuits(),
    readBacklog,
  });
  const health = stack.use(new EndpointHealth(createHealthStore(database), logger));
  const drain: Drain = stack.use(
    new Drain({
      store: createDeliveryStore(database, deps.leasing),
      deliver: createDeliver({
        send,
        secrets: createSubscriptionSecrets(deps.keyRing),
        delaysMs: deps.delaysMs,
        random: Math.random,
        clockMs,
      }),
      logger,
      concurrency: deps.concurrency,
      endpointConcurrency: ENDPOINT_CONCURRENCY,
      requestTimeoutMs,
      takePermits: createEndpointRate(redis, queuePrefix, logger),
      ...(deps.scanMs === undefined ? {} : { scanMs: deps.scanMs }),
      onAttempt: (delivered, delivery) => {
        metrics.observe(delivered);
        if (delivery.takenOver) metrics.observeTakeOver();
        logAttempt(logger, delivered, delivery);
      },
      onSettled: (record, delivery, fate) => {
        metrics.observeFate(fate);
        health.observe(record, delivery);
      },
    }),
  );
  stack.use(
    subscribeToWakes({ redisUrl, queuePrefix, logger, origin, wake: (ids) => drain.wake(ids) }),
  );
  // Stopped together and before the drain: each may have to wait for a server that is away.
  const background = [
    startIntake({
      store: createIntakeStore(database),
      reserve: drain.reserve,
      redisUrl,
      queuePrefix,
      logger,
      clockMs,
      onRejected: metrics.observeRejected,
      onDeliveries: (subscriptionIds) => void wakeWorkers(subscriptionIds),
    }),
    startRecoveries({ database, logger, wakeWorkers }),
    startRetention({ database, logger, retentionDays: deps.retentionDays, clockMs }),
    startMissingBodiesCheck({ database, logger, clockMs, onEnded: metrics.observeWithoutBody }),
  ];
  return {
    checkProgress: () =>
      assertProgress({
        lastFinishedMs: drain.lastFinishedMs,
        requestTimeoutMs,
        readBacklog,
        nowMs: clockMs(),
      }),
    async [Symbol.asyncDispose]() {
      drain.stopLeasing();
      await Promise.all(background.map((part) => part[Symbol.asyncDispose]()));
      await stack.disposeAsync();
    },
  };
}

/** One wide line per attempt. */
function logAttempt(
  logger: Logger,
  { outcome, record }: Delivered,
  delivery: LeasedDelivery,
): void {
  if (!logger.isLevelEnabled('info')) return;
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
  logger.info(line, 'delivery attempt');
}
