import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import { createServer, type Server } from '@atrium/service-kit/server';
import type { Addresses } from './pages/addresses.ts';
import { fileRoutes, pageRoutes } from './pages/routes.ts';

export interface WebDeps {
  logger: Logger;
  trustProxy: boolean | string;
  metrics?: Metrics;
  addresses: Addresses;
  /** The built page, which every address gets. */
  html: string;
  /** The folder of the build. */
  dist: URL;
}

export async function buildApp(deps: WebDeps): Promise<Server> {
  const server = await createServer({
    service: 'web',
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    corsOrigins: [],
    ready: {},
    metrics: deps.metrics,
    apiReference: false,
  });
  await fileRoutes(server, deps.dist);
  pageRoutes(server, deps);
  return server;
}
