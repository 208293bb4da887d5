import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { ProcessTracing } from '@atrium/service-kit/tracing';
import type { LocalRateLimiter } from '@atrium/service-kit/rate-limit';
import { createServer, type Server } from '@atrium/service-kit/server';
import type { ServiceUrls } from './pages/service-urls.ts';
import type { FindPortalOrigins } from './pages/portal-origins.ts';
import { fileRoutes, pageRoutes } from './pages/routes.ts';
import type { NoteRenderer } from './public-notes/renderer.ts';
import { publicNoteRoutes } from './public-notes/routes.ts';
import type { SharedNotes } from './public-notes/shared-notes.ts';

export interface WebDeps {
  logger: Logger;
  trustProxy: boolean | string;
  metrics?: Metrics;
  tracing?: ProcessTracing | undefined;
  serviceUrls: ServiceUrls;
  /** The built page, which every other path gets. */
  html: string;
  /** The folders of its files: of this build first, then of earlier ones. */
  assets: string[];
  notes: SharedNotes;
  findPortalOrigins: FindPortalOrigins;
  renderer: NoteRenderer;
  /** For public notes; without one they are not limited. */
  limiter?: LocalRateLimiter | undefined;
}

export async function buildApp(deps: WebDeps): Promise<Server> {
  const server = await createServer({
    service: 'web',
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    corsOrigins: [],
    ready: {},
    metrics: deps.metrics,
    tracing: deps.tracing,
    apiReference: false,
  });
  await fileRoutes(server, deps.assets);
  const { notes, renderer, limiter, html } = deps;
  const { web: webUrl } = deps.serviceUrls;
  await server.register(publicNoteRoutes, { notes, renderer, limiter, webUrl, html });
  pageRoutes(server, deps);
  return server;
}
