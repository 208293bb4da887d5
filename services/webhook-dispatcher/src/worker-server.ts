import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import { createServer, type Server } from '@atrium/service-kit/server';

export interface WorkerServerDeps {
  logger: Logger;
  metrics: Metrics;
  ready: Record<string, () => Promise<void>>;
}

/** The HTTP server of a worker, on its metrics port: /metrics, /livez and /readyz. */
export async function createWorkerServer(deps: WorkerServerDeps): Promise<Server> {
  const { logger, metrics, ready } = deps;
  const server = await createServer({
    service: 'webhook-worker',
    logger,
    trustProxy: false,
    corsOrigins: [],
    ready,
  });
  server.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
  return server;
}
