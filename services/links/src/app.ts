import { createAccountGate } from '@atrium/service-kit/account-gate';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { createIdempotency } from '@atrium/service-kit/idempotency';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import { createServer, type Server } from '@atrium/service-kit/server';
import { statusRoute } from '@atrium/service-kit/status';
import type { Database } from './database.ts';
import type { ClickRecorder } from './clicks/recorder.ts';
import { clickRoutes } from './clicks/routes.ts';
import { linkRoutes } from './links/routes.ts';
import { createLinkStore } from './links/store.ts';
import type { LinkCache } from './redirect/link-cache.ts';
import { redirectRoutes } from './redirect/routes.ts';

export interface LinksDeps {
  logger: Logger;
  database: Database;
  /** A few connections with a short statement timeout, so that searches delay nothing else. */
  searchDatabase: Parameters<typeof linkRoutes>[1]['searchDatabase'];
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  cache: LinkCache;
  recorder: ClickRecorder;
  /** Announces changed slugs to the other processes. */
  invalidation: { announce(slugs: string[]): void };
  ready: Record<string, () => Promise<void>>;
  version: string;
  metrics?: Metrics;
  linksUrl: string;
  corsOrigins: string[];
  trustProxy: boolean | string;
  clockMs: () => number;
}

export async function buildApp(deps: LinksDeps): Promise<Server> {
  const { database, authenticator, cache, recorder, invalidation, clockMs } = deps;
  const server = await createServer({
    service: 'links',
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    corsOrigins: deps.corsOrigins,
    ready: deps.ready,
    metrics: deps.metrics,
    rateLimiter: deps.rateLimiter,
  });

  const idempotency = createIdempotency({ database, rateLimiter: deps.rateLimiter });
  await server.register(async (api) => {
    requireAccessToken(api, authenticator);
    idempotency.acceptKeys(api);
    await linkRoutes(api, {
      links: createLinkStore(database),
      searchDatabase: deps.searchDatabase,
      gate: createAccountGate(),
      rateLimiter: deps.rateLimiter,
      idempotency,
      shortUrl: (slug) => `${deps.linksUrl}/${slug}`,
      onSlugsChanged(slugs) {
        for (const slug of slugs) cache.forget(slug);
        invalidation.announce(slugs);
      },
    });
    await clickRoutes(api, { database, clockMs });
  });
  await server.register(redirectRoutes, { cache, recorder, clockMs });
  await statusRoute(server, { service: 'links', operationId: 'getLinksStatus' }, deps);
  return server;
}
