import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { createServer, type Server } from '@atrium/service-kit/server';
import { PrismaPg } from '@prisma/adapter-pg';
import { type AddressGuard, assertSubscriptionUrl, resolveHost } from './deliveries/egress.ts';
import { createDeliveryHistory } from './deliveries/history-store.ts';
import { deliveryRoutes, processRoute } from './deliveries/routes.ts';
import { createDeliveryStore } from './deliveries/store.ts';
import { PrismaClient } from './generated/client.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { createSubscriptionStore } from './subscriptions/store.ts';

export interface WebhooksDeps {
  logger: Logger;
  metrics: Metrics;
  database: Database;
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  keyRing: KeyRing;
  guard: AddressGuard;
  allowHttp: boolean;
  cronSecret: string;
  /** Makes the drain loops of all workers look at once. */
  wakeWorkers: () => Promise<void>;
  ready: Record<string, () => Promise<void>>;
  corsOrigins: string[];
  trustProxy: boolean | string;
  clockMs: () => number;
}

export async function buildApp(deps: WebhooksDeps): Promise<Server> {
  const { authenticator, clockMs, database, guard, allowHttp, wakeWorkers } = deps;
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool) });
  const deliveryStore = createDeliveryStore(database);
  const server = await createServer({
    service: 'webhook-dispatcher',
    logger: deps.logger,
    metrics: deps.metrics,
    trustProxy: deps.trustProxy,
    corsOrigins: deps.corsOrigins,
    ready: deps.ready,
    clockMs,
  });

  await server.register(subscriptionRoutes, {
    subscriptions: createSubscriptionStore({ prisma, keyRing: deps.keyRing, clockMs }),
    authenticator,
    rateLimiter: deps.rateLimiter,
    assertUrl: (url: string) =>
      assertSubscriptionUrl(url, { guard, allowHttp, resolve: resolveHost }),
    wakeWorkers,
  });
  await server.register(deliveryRoutes, {
    deliveries: createDeliveryHistory(prisma),
    authenticator,
  });
  await server.register(processRoute, {
    cronSecret: deps.cronSecret,
    countDue: () => deliveryStore.countDue(),
    wakeWorkers,
  });
  return server;
}
