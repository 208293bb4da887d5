import { randomUUID } from 'node:crypto';
import type { Sql } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { RedisClient } from '@atrium/events/redis-client';
import type { Tracing } from '@atrium/events/tracing';
import type { Database } from './database.ts';
import { createMatchers } from './filters/matchers.ts';
import { startEventConsumer } from './ingestion/consumer.ts';
import { createHeldDeliveriesStore } from './ingestion/held-deliveries-store.ts';
import { createIngestionStore } from './ingestion/store.ts';
import { createChangeLog } from './live/change-log.ts';
import { startChangePublisher } from './live/change-publisher.ts';
import { createRecoveryStore } from './recoveries/store.ts';
import { startWorkerJobs } from './scheduled-jobs.ts';
import { createAttemptStore } from './scheduling/attempt-store.ts';
import { createBacklogReader } from './scheduling/backlog-store.ts';
import { DeliveryLoop } from './scheduling/delivery-loop.ts';
import { createEndpointFailuresStore } from './endpoints/endpoint-failures-store.ts';
import { EndpointFailures } from './endpoints/endpoint-failures.ts';
import { createEndpointRate } from './endpoints/endpoint-rate.ts';
import { createRestingEndpoints } from './endpoints/resting-endpoints.ts';
import { CONNECTION_WAIT_MAX_MS, createLeaseStore } from './scheduling/lease-store.ts';
import { createDeliveryMetrics } from './scheduling/metrics.ts';
import { assertProgress } from './scheduling/progress.ts';
import { startThroughputCounter } from './scheduling/throughput.ts';
import { createWorkerWaker, subscribeToWakes, type WakeWorkers } from './scheduling/wake.ts';
import { type AddressGuard, createAddressGuard } from '@atrium/service-kit/address-guard';
import { AddressLimit } from './sending/address-limit.ts';
import { traceAttempts } from './sending/attempt-spans.ts';
import { logAttempt } from './sending/attempt-log.ts';
import { createDeliver } from './sending/deliver.ts';
import { openDestinations } from './sending/destinations/send-elsewhere.ts';
import { type AddressQueries, createResolver } from '@atrium/service-kit/resolver';
import { openSender } from './sending/send.ts';
import { createSubscriptionSecrets } from './subscriptions/secrets.ts';

/** Requests in flight to one endpoint, so that a slow one does not take every connection. */
const ENDPOINT_CONCURRENCY = 10;
/** Several subscriptions may share an origin; this bounds them together. */
const CONNECTIONS_PER_ORIGIN = 128;
/** Many names may lead to one public address; this bounds them together, so that it is not flooded. */
const REQUESTS_PER_ADDRESS = 256;

/** Ends before the request does, so that a slow look-up is not taken for a slow receiver. */
const lookupTimeoutMs = (requestTimeoutMs: number) => Math.min(5_000, requestTimeoutMs / 2);

export interface DeliveryWorkerDeps {
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  database: Database;
  /** Sessions with `LEASING_SETTINGS`. */
  leasing: Sql;
  redisUrl: string;
  queuePrefix: string;
  keyRing: KeyRing;
  guard: AddressGuard;
  addressQueries?: AddressQueries;
  allowHttp: boolean;
  requestTimeoutMs: number;
  delaysMs: readonly number[];
  concurrency: number;
  /** Deliveries of one account that may wait; further ones are held until there is capacity. */
  accountBacklogMax: number;
  /** How long bodies and attempts are kept. */
  retentionDays: number;
  redis: RedisClient;
  clockMs: () => number;
}

export interface DeliveryWorker extends AsyncDisposable {
  /** Rejects when this worker is stuck. */
  checkProgress(): Promise<void>;
}

/** Starts ingestion and delivery. Disposal takes on nothing new and finishes what is in flight. */
export function startDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { logger, database, redis, redisUrl, queuePrefix, requestTimeoutMs, clockMs } = deps;
  const { tracing } = deps;
  const origin = randomUUID();
  const wakeOthers = createWorkerWaker(redis, queuePrefix, logger, origin);
  const wakeWorkers: WakeWorkers = (ids) => {
    loop.wake(ids);
    return wakeOthers(ids);
  };
  const stack = new AsyncDisposableStack();
  const sending = {
    guard: deps.guard,
    resolve: createResolver({
      clockMs,
      timeoutMs: lookupTimeoutMs(requestTimeoutMs),
      queries: deps.addressQueries,
    }),
    allowHttp: deps.allowHttp,
    timeoutMs: requestTimeoutMs,
    waitMs: CONNECTION_WAIT_MAX_MS,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
    addressLimit: new AddressLimit(REQUESTS_PER_ADDRESS),
    // Without exempt networks: what the operator allows is the operator's own to protect.
    isAddressLimited: createAddressGuard([]),
  };
  const { send } = stack.use(openSender(sending));
  const { sendElsewhere } = stack.use(
    openDestinations({ ...sending, keyRing: deps.keyRing, send }),
  );
  const readBacklog = createBacklogReader(database);
  const metrics = createDeliveryMetrics(deps.metrics, {
    leasedCount: () => loop.leasedCount,
    countCircuits: () => loop.countCircuits(),
    readBacklog,
  });
  const failures = stack.use(new EndpointFailures(createEndpointFailuresStore(database), logger));
  const changes = stack.use(
    startChangePublisher(createChangeLog({ redis, queuePrefix, clockMs }), logger),
  );
  const throughput = stack.use(startThroughputCounter({ redis, queuePrefix, clockMs, logger }));
  const { recordAttempts } = createAttemptStore(database);
  const deliver = createDeliver({
    send,
    sendElsewhere,
    secrets: createSubscriptionSecrets(deps.keyRing),
    delaysMs: deps.delaysMs,
    random: Math.random,
    clockMs,
  });
  const traced = tracing && traceAttempts(deliver, tracing);
  const loop: DeliveryLoop = stack.use(
    new DeliveryLoop({
      leases: createLeaseStore(deps.leasing, requestTimeoutMs),
      deliver: traced?.deliver ?? deliver,
      recordAttempts,
      takePermits: createEndpointRate(redis, queuePrefix, logger),
      onRest: createRestingEndpoints(redis, queuePrefix, logger).set,
      logger,
      concurrency: deps.concurrency,
      endpointConcurrency: ENDPOINT_CONCURRENCY,
      onAttempt: (attempt, delivery) => {
        metrics.observeAttempt(attempt, delivery.traceparent);
        if (delivery.isTakenOver) metrics.observeLeaseTakenOver();
        logAttempt(logger, attempt, delivery);
      },
      onPersisted: (attempt, delivery, result) => {
        metrics.observePersisted(result);
        traced?.recordStored(attempt, delivery);
        failures.observe(attempt, delivery);
        throughput.count(attempt.outcome === 'delivered' ? 'delivered' : 'failed');
        if (result === 'stored') changes.publish(delivery.endpoint.accountId, [delivery.id]);
      },
    }),
  );
  stack.use(
    subscribeToWakes({ redisUrl, queuePrefix, logger, origin, wake: (ids) => loop.wake(ids) }),
  );
  const ingestion = {
    store: createIngestionStore(database, (delivery) =>
      changes.publish(delivery.accountId, [delivery.id]),
    ),
    held: createHeldDeliveriesStore(database),
    accountBacklogMax: deps.accountBacklogMax,
    random: Math.random,
    logger,
    clockMs,
    matcherOf: createMatchers(),
    onRejected: metrics.observeRejected,
    onUnmatched: metrics.observeUnmatched,
    onDeliveries: (subscriptionIds: string[]) => void wakeWorkers(subscriptionIds),
  };
  // Stopped together and before the loop: each may have to wait for a server that is unavailable.
  const background = [
    startEventConsumer({ ...ingestion, redisUrl, queuePrefix, tracing }),
    ...startWorkerJobs({
      database,
      metrics: deps.metrics,
      redisUrl,
      queuePrefix,
      logger,
      clockMs,
      retentionDays: deps.retentionDays,
      admission: { ...ingestion, publishChanges: changes.publish },
      recoveries: {
        store: createRecoveryStore(database),
        wakeWorkers,
        publishChanges: changes.publish,
      },
      onWithoutBody: metrics.observeWithoutBody,
    }),
  ];
  return {
    checkProgress: () => assertProgress({ idleMs: loop.idleMs, requestTimeoutMs, readBacklog }),
    async [Symbol.asyncDispose]() {
      loop.stopLeasing();
      await Promise.all(background.map((part) => part[Symbol.asyncDispose]()));
      await stack.disposeAsync();
    },
  };
}
