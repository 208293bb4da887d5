import { createAccountGate } from '@atrium/service-kit/account-gate';
import type { Database } from '@atrium/service-kit/database';
import { createIdempotency } from '@atrium/service-kit/idempotency';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import { createServer, type Server } from '@atrium/service-kit/server';
import type { Backends, ProductService } from '@atrium/service-kit/service';
import { statusRoute } from '@atrium/service-kit/status';
import type { ClickRecorder } from './clicks/recorder.ts';
import { clickRoutes } from './clicks/routes.ts';
import type { PrismaClient } from './generated/client.ts';
import { linkRoutes } from './links/routes.ts';
import { createLinkStore } from './links/store.ts';
import type { LinkCache } from './redirect/link-cache.ts';
import { redirectRoutes } from './redirect/routes.ts';

export interface LinksDeps extends Omit<ProductService<PrismaClient>, 'ready'> {
  ready: Backends<PrismaClient>['ready'];
  /** A few connections with a short statement timeout, so that searches delay nothing else. */
  searchDatabase: Database;
  cache: LinkCache;
  recorder: ClickRecorder;
  /** Makes this process and all others read these links again. */
  onSlugsChanged: (slugs: string[]) => void;
  linksUrl: string;
}

export async function buildApp(deps: LinksDeps): Promise<Server> {
  const { database, authenticator, rateLimiter, cache, recorder, clockMs } = deps;
  const server = await createServer({
    service: 'links',
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    corsOrigins: deps.corsOrigins,
    ready: deps.ready,
    metrics: deps.metrics,
    tracing: deps.tracing,
    rateLimiter,
    onChange: deps.replica.onChange,
  });

  const idempotency = createIdempotency({ database, rateLimiter });
  await server.register(async (api) => {
    requireAccessToken(api, authenticator);
    idempotency.acceptKeys(api);
    const gate = createAccountGate();
    await linkRoutes(api, {
      links: createLinkStore(database),
      searchDatabase: deps.searchDatabase,
      gate,
      rateLimiter,
      idempotency,
      shortUrl: (slug) => `${deps.linksUrl}/${slug}`,
      onSlugsChanged: deps.onSlugsChanged,
    });
    await clickRoutes(api, { database, replica: deps.replica, gate, clockMs });
  });
  await server.register(redirectRoutes, { cache, recorder, clockMs });
  await statusRoute(server, { service: 'links', operationId: 'getLinksStatus' }, deps);
  return server;
}
