import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = Registry;

const HTTP_DURATION = 'http_request_duration_seconds';

/** A Prometheus registry with the process's own figures (CPU, memory, event loop lag). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Request durations in seconds by method, route pattern (never the raw path) and status. */
export function httpDuration(registry: Metrics): Histogram<'method' | 'route' | 'status'> {
  return new Histogram({
    name: HTTP_DURATION,
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
}

export interface MetricsServer extends AsyncDisposable {
  readonly url: string;
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host}:${actual}`;
}

/** Serves `GET /metrics` on a port of its own, so that it need not be reachable from outside. */
export async function startMetricsServer(options: {
  port: number;
  host: string;
  registry: Metrics;
}): Promise<MetricsServer> {
  const { registry } = options;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'Not Found', message: 'Page not found' }));
      return;
    }
    registry.metrics().then(
      (text) => {
        response.writeHead(200, { 'content-type': registry.contentType });
        response.end(text);
      },
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const url = await listen(server, options.port, options.host);
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
