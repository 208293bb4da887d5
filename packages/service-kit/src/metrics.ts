import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { TraceContext } from '@atrium/contracts/traceparent';
import type { Pool } from 'pg';
import {
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
  type RegistryContentType,
} from 'prom-client';

export type Metrics = Registry;

const HTTP_DURATION = 'http_request_duration_seconds';

/**
 * A Prometheus registry with the process's own figures (CPU, memory, event loop lag).
 *
 * @param options.exemplars whether buckets of durations name a trace, which only the format of OpenMetrics can say
 */
export function createMetrics({ exemplars = false } = {}): Metrics {
  const registry = new Registry<RegistryContentType>();
  if (exemplars) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  // The types of metrics know the usual format alone, though a metric is the same in both.
  const metrics = registry as Metrics;
  // By default its timer wakes each process a hundred times a second.
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 100 });
  return metrics;
}

/** Request durations in seconds by method, route pattern (never the raw path) and status. */
export function httpDuration(registry: Metrics): ObserveDuration<'method' | 'route' | 'status'> {
  return durations(registry, {
    name: HTTP_DURATION,
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
}

/** @param trace an example for the bucket, if it is sampled */
export type ObserveDuration<Label extends string> = (
  labels: Record<Label, string>,
  seconds: number,
  trace: TraceContext | undefined,
) => void;

/** Registers a histogram of durations in seconds. */
export function durations<Label extends string = never>(
  registry: Metrics,
  options: { name: string; help: string; labelNames: Label[]; buckets: number[] },
): ObserveDuration<Label> {
  const { contentType }: { contentType: string } = registry;
  const enableExemplars = contentType === Registry.OPENMETRICS_CONTENT_TYPE;
  const histogram = new Histogram<string>({ ...options, enableExemplars, registers: [registry] });
  if (!enableExemplars) return (labels, value) => histogram.observe(labels, value);
  return (labels, value, trace) => {
    const exemplarLabels =
      trace?.isSampled === true ? { trace_id: trace.traceId, span_id: trace.spanId } : {};
    histogram.observe({ labels, value, exemplarLabels });
  };
}

/** Registers a gauge of the connections to Postgres. */
export function observeConnections(registry: Metrics, pool: Pool): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections to Postgres that are used and idle, and requests that wait for one',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

/** Registers a gauge of when the partitions of each table end. */
export function partitionEnds(registry: Metrics): (table: string, untilMs: number) => void {
  const gauge = new Gauge({
    name: 'partitions_end_timestamp_seconds',
    help: 'Until when there are partitions at least, by the process that made the last ones; later rows go to the default one',
    labelNames: ['table'] as const,
    registers: [registry],
  });
  return (table, untilMs) => gauge.set({ table }, untilMs / 1000);
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
