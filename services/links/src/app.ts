import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { PRISMA_OPTIONS, type Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { requireAccessToken } from '@atrium/service-kit/openapi';
import { createServer, type Server } from '@atrium/service-kit/server';
import { PrismaPg } from '@prisma/adapter-pg';
import type { ClickRecorder } from './clicks/recorder.ts';
import { PrismaClient } from './generated/client.ts';
import { linkRoutes } from './links/routes.ts';
import { createLinkStore } from './links/store.ts';
import type { LinkCache } from './redirect/link-cache.ts';
import { redirectRoutes } from './redirect/routes.ts';

export interface LinksDeps {
  logger: Logger;
  db: Database;
  authenticator: Authenticator;
  limiter: RateLimiter;
  cache: LinkCache;
  recorder: ClickRecorder;
  /** Tells the other replicas. */
  invalidation: { announce(slugs: string[]): void };
  ready: Record<string, () => Promise<void>>;
  metrics?: Metrics;
  linksUrl: string;
  corsOrigins: string[];
  trustProxy: boolean | string;
  clockMs: () => number;
}

const WRITES_PER_ACCOUNT = { name: 'links-writes', limit: 600, windowSeconds: 60 };

export async function buildApp(deps: LinksDeps): Promise<Server> {
  const { db, authenticator, limiter, cache, recorder, invalidation, clockMs } = deps;
  const server = await createServer({
    service: 'links',
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    corsOrigins: deps.corsOrigins,
    ready: deps.ready,
    ...(deps.metrics === undefined ? {} : { metrics: deps.metrics }),
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(db.pool, PRISMA_OPTIONS) });

  await server.register(async (api) => {
    requireAccessToken(api, authenticator);
    api.addHook('onRequest', async (request) => {
      if (request.method === 'GET') return;
      await limiter.consume(WRITES_PER_ACCOUNT, accountOf(request).id);
    });
    await linkRoutes(api, {
      links: createLinkStore(db, prisma),
      shortUrl: (slug) => `${deps.linksUrl}/${slug}`,
      onSlugsChanged(slugs) {
        for (const slug of slugs) cache.forget(slug);
        invalidation.announce(slugs);
      },
    });
  });
  await server.register(redirectRoutes, { cache, recorder, clockMs });
  return server;
}
