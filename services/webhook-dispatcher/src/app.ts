import { createIdempotency } from '@atrium/service-kit/idempotency';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { createServer, type Server } from '@atrium/service-kit/server';
import type { ProductService } from '@atrium/service-kit/service';
import { statusRoute } from '@atrium/service-kit/status';
import { deliveryRoutes } from './delivery-history/routes.ts';
import { createStatisticsReader } from './delivery-history/statistics-store.ts';
import { createDeliveryHistory } from './delivery-history/store.ts';
import { assertPatterns } from './event-types/catalogue.ts';
import { eventTraceRoutes } from './event-trace/routes.ts';
import { createEventTraces } from './event-trace/store.ts';
import { namespaceRoutes } from './event-types/namespace-routes.ts';
import { productEventTypeRoutes } from './event-types/product-routes.ts';
import { eventTypeRoutes } from './event-types/routes.ts';
import { testEventRoutes } from './event-types/test-event-routes.ts';
import { createTurns } from './event-types/turns.ts';
import { createValidators } from './event-types/validators.ts';
import { filterRoutes } from './filters/routes.ts';
import type { PrismaClient } from './generated/client.ts';
import { deliveryBody } from './ingestion/ingest.ts';
import type { ChangeLog } from './live/change-log.ts';
import type { PublishChanges } from './live/change-publisher.ts';
import { DeliveryStreams } from './live/delivery-streams.ts';
import { liveRoutes } from './live/routes.ts';
import { listenerRoutes } from './listeners/routes.ts';
import { createListenerStore } from './listeners/store.ts';
import { operatorRoutes, type OperatorRoutesDeps } from './operator/routes.ts';
import { acceptPortals } from './portal/permitted-routes.ts';
import { openPortalRoute, portalRoutes } from './portal/routes.ts';
import { createPortalStore } from './portal/store.ts';
import { publishingRoutes } from './publishing/routes.ts';
import type { RequestRecoveries } from './recoveries/recoveries.ts';
import { recoveryRoutes } from './recoveries/routes.ts';
import { createRecoveryStore } from './recoveries/store.ts';
import { createBacklogReader } from './scheduling/backlog-store.ts';
import { createAttemptStore } from './scheduling/attempt-store.ts';
import { processRoute } from './scheduling/process-routes.ts';
import type { RestingEndpoints } from './endpoints/resting-endpoints.ts';
import { healthRoutes } from './health/routes.ts';
import type { WakeWorkers } from './scheduling/wake.ts';
import type { AddressGuard } from '@atrium/service-kit/address-guard';
import { assertSubscriptionUrl } from './sending/subscription-url.ts';
import { type AddressQueries, createResolver } from '@atrium/service-kit/resolver';
import { controlRoutes } from './subscriptions/control-routes.ts';
import { publicKeyRoutes } from './subscriptions/public-key-routes.ts';
import { createSubscriptionSecrets } from './subscriptions/secrets.ts';
import { type AssertPatterns, subscriptionRoutes } from './subscriptions/routes.ts';
import { createSubscriptionStore } from './subscriptions/store.ts';

export interface WebhooksDeps
  extends
    ProductService<PrismaClient>,
    Pick<OperatorRoutesDeps, 'readThroughput' | 'countEventBatches'> {
  keyRing: KeyRing;
  guard: AddressGuard;
  addressQueries?: AddressQueries;
  allowHttp: boolean;
  delaysMs: readonly number[];
  /** Where browsers reach the pages. */
  webUrl: string;
  cronSecret: string;
  /** Where the operator shows a trace, with `{traceId}`. */
  traceUrlTemplate?: string | undefined;
  /** Wakes the delivery loops of all workers. */
  wakeWorkers: WakeWorkers;
  restingEndpoints: Pick<RestingEndpoints, 'read'>;
  requestRecoveries: RequestRecoveries;
  changeLog: ChangeLog;
  publishChanges: PublishChanges;
}

export async function buildApp(deps: WebhooksDeps): Promise<Server> {
  const { clockMs, database, replica, guard, allowHttp, rateLimiter } = deps;
  const { wakeWorkers, publishChanges } = deps;
  const readBacklog = createBacklogReader(database);
  const resolve = createResolver({ clockMs, queries: deps.addressQueries });
  const server = await createServer({
    service: 'webhook-dispatcher',
    logger: deps.logger,
    metrics: deps.metrics,
    tracing: deps.tracing,
    rateLimiter,
    onChange: replica.onChange,
    trustProxy: deps.trustProxy,
    corsOrigins: deps.corsOrigins,
    ready: deps.ready,
    secrets: { cronSecret: { in: 'header', name: 'X-Cron-Secret' } },
  });

  const portals = createPortalStore(database, deps.authenticator.isCurrent);
  const authenticator = acceptPortals(server, deps.authenticator, portals);
  const idempotency = createIdempotency({ database, rateLimiter, keyRing: deps.keyRing });
  const subscriptions = createSubscriptionStore({ database, keyRing: deps.keyRing, clockMs });
  const assertKnown: AssertPatterns = (patterns, accountId) =>
    assertPatterns(database, { patterns, accountId });
  await server.register(subscriptionRoutes, {
    subscriptions,
    idempotency,
    authenticator,
    rateLimiter,
    assertUrl: (url, kind, accountId) =>
      assertSubscriptionUrl(url, {
        kind,
        guard,
        allowHttp,
        resolve: (hostname) => resolve(hostname, accountId),
      }),
    assertPatterns: assertKnown,
    wakeWorkers,
  });
  await server.register(controlRoutes, { subscriptions, idempotency, authenticator, wakeWorkers });
  await server.register(publicKeyRoutes, { database });
  await server.register(healthRoutes, {
    database,
    authenticator,
    restingEndpoints: deps.restingEndpoints,
    wakeWorkers,
  });
  await server.register(testEventRoutes, {
    database,
    idempotency,
    authenticator,
    rateLimiter,
    bodyOf: deliveryBody,
    wakeWorkers,
    publishChanges,
    clockMs,
  });
  await server.register(filterRoutes, { database, authenticator });
  const deliveries = createDeliveryHistory(database, replica);
  await server.register(deliveryRoutes, {
    deliveries,
    readStatistics: createStatisticsReader({ database, replica, clockMs }),
    authenticator,
  });
  await server.register(eventTraceRoutes, {
    findEventTrace: createEventTraces(database, deps.traceUrlTemplate),
    authenticator,
  });
  await server.register(liveRoutes, {
    streams: new DeliveryStreams({
      log: deps.changeLog,
      findDeliveries: (ids, accountId) => deliveries.findByIds(ids, accountId),
      onChange: replica.onChange,
      authenticator,
      logger: deps.logger,
    }),
    authenticator,
  });
  await server.register(listenerRoutes, {
    assertPatterns: assertKnown,
    subscriptions,
    idempotency,
    listeners: createListenerStore(database),
    secrets: createSubscriptionSecrets(deps.keyRing),
    recordAttempts: createAttemptStore(database).recordAttempts,
    delaysMs: deps.delaysMs,
    authenticator,
    publishChanges,
    clockMs,
  });
  await server.register(recoveryRoutes, {
    recoveries: createRecoveryStore(database),
    idempotency,
    authenticator,
    wakeWorkers,
    publishChanges,
    requestRecoveries: deps.requestRecoveries,
    clockMs,
  });
  await server.register(eventTypeRoutes, { database, authenticator });
  const inTurn = createTurns({ limitsAccounts: rateLimiter.defaults !== undefined });
  await server.register(productEventTypeRoutes, { database, authenticator, inTurn, clockMs });
  await server.register(namespaceRoutes, { database, authenticator });
  await server.register(publishingRoutes, {
    database,
    authenticator,
    rateLimiter,
    findValidator: createValidators(),
    inTurn,
    bodyOf: deliveryBody,
    clockMs,
  });
  await server.register(portalRoutes, { portals, authenticator, webUrl: deps.webUrl });
  await server.register(openPortalRoute, { portals });
  await server.register(processRoute, {
    cronSecret: deps.cronSecret,
    rateLimiter,
    countDue: async () => (await readBacklog()).due,
    wakeWorkers,
  });
  await server.register(operatorRoutes, {
    database,
    authenticator,
    readBacklog,
    readThroughput: deps.readThroughput,
    countEventBatches: deps.countEventBatches,
  });
  await statusRoute(server, { service: 'webhooks', operationId: 'getWebhooksStatus' }, deps);
  return server;
}
