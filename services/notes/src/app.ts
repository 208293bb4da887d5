import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { PRISMA_OPTIONS, type Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { requireAccessToken } from '@atrium/service-kit/openapi';
import { createServer, type Server } from '@atrium/service-kit/server';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';
import { noteRoutes } from './notes/routes.ts';
import { createNoteStore } from './notes/store.ts';
import { searchRoutes } from './search/routes.ts';
import { createSearchStore } from './search/store.ts';
import { sharedNoteRoutes, sharingRoutes } from './sharing/routes.ts';
import { createShareStore } from './sharing/store.ts';
import { workspaceRoutes } from './workspaces/routes.ts';
import { createWorkspaceStore } from './workspaces/store.ts';

export interface NotesDeps {
  logger: Logger;
  db: Database;
  authenticator: Authenticator;
  /** Told after a commit that stored an event. */
  relay: { wake(): void };
  limiter: RateLimiter;
  ready: Record<string, () => Promise<void>>;
  metrics?: Metrics;
  notesUrl: string;
  corsOrigins: string[];
  trustProxy: boolean | string;
}

/** Far above what a person does, far below what would slow others down. */
const WRITES_PER_ACCOUNT = { name: 'notes-writes', limit: 1200, windowSeconds: 60 };
const SEARCHES_PER_ACCOUNT = { name: 'notes-searches', limit: 600, windowSeconds: 60 };

export async function buildApp(deps: NotesDeps): Promise<Server> {
  const { db, authenticator, limiter, relay } = deps;
  const server = await createServer({
    service: 'notes',
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    corsOrigins: deps.corsOrigins,
    ready: deps.ready,
    ...(deps.metrics === undefined ? {} : { metrics: deps.metrics }),
  });

  const sharedUrl = (token: string) => `${deps.notesUrl}/shared/${token}`;
  const prisma = new PrismaClient({ adapter: new PrismaPg(db.pool, PRISMA_OPTIONS) });
  const shares = createShareStore(db, sharedUrl);

  await server.register(async (api) => {
    requireAccessToken(api, authenticator);
    api.addHook('onRequest', async (request) => {
      const isSearch = request.routeOptions.url === '/api/search';
      if (request.method === 'GET' && !isSearch) return;
      const rule = isSearch ? SEARCHES_PER_ACCOUNT : WRITES_PER_ACCOUNT;
      await limiter.consume(rule, accountOf(request).id);
    });
    await workspaceRoutes(api, { workspaces: createWorkspaceStore(db, prisma) });
    await noteRoutes(api, { notes: createNoteStore(db, prisma), sharedUrl });
    await sharingRoutes(api, { shares, sharedUrl, onEventStored: () => relay.wake() });
    await searchRoutes(api, { searches: createSearchStore(db) });
  });
  await server.register(sharedNoteRoutes, { shares });
  return server;
}
