// The rules of sampling: docs/decisions/0042-who-decides-what-is-traced.md
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import {
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from '@atrium/contracts/traceparent';
import type { FinishedSpan, Tracing } from '@atrium/events/tracing';
import { Counter } from 'prom-client';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import type { TracingConfig } from './config.ts';
import type { SentSpan } from './otlp.ts';
import { RequestTrace } from './request-trace.ts';
import { SpanQueue } from './span-queue.ts';

/** Failures that are sent although their traces are not sampled. */
const FAILURES_PER_SECOND = 10;
const WARN_EVERY_MS = 60_000;

interface TracingOptions {
  config: TracingConfig;
  service: string;
  logger: Logger;
  metrics: Metrics;
}

/** The traces of a process; undefined unless a collector is configured. */
export async function openTracing(options: TracingOptions): Promise<ProcessTracing | undefined> {
  const { config, service, logger, metrics } = options;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  const dropped = new Counter({
    name: 'trace_spans_dropped_total',
    help: 'Spans that the collector did not take, or that found the queue to it full',
    registers: [metrics],
  });
  if (endpoint === undefined) return undefined;
  let warnedMs = -WARN_EVERY_MS;
  const onFailure = (error: Error | undefined) => {
    if (performance.now() - warnedMs < WARN_EVERY_MS) return;
    warnedMs = performance.now();
    logger.warn({ err: error }, 'spans not taken by the collector, they are dropped');
  };
  const { openOtlpExporter } = await import('./otlp.ts');
  const send = openOtlpExporter({ endpoint, headers, service, onFailure });
  return new ProcessTracing(new SpanQueue(send, (spans) => dropped.inc(spans)), config);
}

export class ProcessTracing implements Tracing, AsyncDisposable {
  readonly #queue: SpanQueue<SentSpan>;
  readonly #share: number;
  readonly #accounts: ReadonlySet<string>;
  readonly #trusted = new BlockList();
  readonly #running = new AsyncLocalStorage<RequestTrace>();
  #second = 0;
  #failures = 0;

  constructor(queue: SpanQueue<SentSpan>, config: TracingConfig) {
    this.#queue = queue;
    this.#share = config.OTEL_TRACES_SAMPLER_ARG;
    this.#accounts = new Set(config.TRACE_ACCOUNTS);
    for (const cidr of config.TRACE_TRUSTED_NETWORKS) {
      const [network = '', prefix] = cidr.split('/');
      this.#trusted.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
    }
  }

  record(span: FinishedSpan & Pick<SentSpan, 'link'>): void {
    const context = span.context ?? (span.parent && this.child(span.parent));
    if (context?.isSampled === true) this.#queue.add({ ...span, context });
  }

  recordFailure(span: FinishedSpan & Pick<SentSpan, 'link'>): void {
    const context = span.context ?? (span.parent && this.child(span.parent));
    if (context === undefined) return;
    if (context.isSampled) {
      this.#queue.add({ ...span, context });
      return;
    }
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#failures = 0;
    }
    this.#failures += 1;
    if (this.#failures > FAILURES_PER_SECOND) return;
    this.#queue.add({ ...span, context: { ...context, isSampled: true } });
  }

  child({ traceId, isSampled }: TraceContext): TraceContext {
    return { traceId, isSampled, spanId: randomBytes(8).toString('hex') };
  }

  /** Begins the trace of a request, or goes on with that of a trusted caller. */
  startRequest(request: IncomingMessage, requestId: string): RequestTrace {
    const given = parseTraceparent(headerOf(request, 'traceparent'));
    const isTrusted = given !== undefined && this.#isTrusted(request.socket.remoteAddress);
    const begun = isTrusted
      ? { context: this.child(given), parent: given, link: undefined }
      : { context: this.#root(), parent: undefined, link: given };
    return new RequestTrace(requestId, begun, this.#accounts);
  }

  /** Runs a handler; what its transactions write carries the trace of its request. */
  run(trace: RequestTrace, handler: () => void): void {
    this.#running.run(trace, handler);
  }

  /** What a transaction writes for an account carries: the trace of its request, or of a job a new one. */
  traceparentFor(origin: { requestId: string } | { job: string }, accountId: string): string {
    const running = this.#running.getStore();
    // Work that a request has begun for others runs on in its context.
    if ('requestId' in origin && running?.requestId === origin.requestId) {
      return running.traceparentFor(accountId);
    }
    const context = this.#root();
    if (this.#accounts.has(accountId)) context.isSampled = true;
    const nowMs = Date.now();
    const name = 'job' in origin ? origin.job : 'transaction';
    this.record({ name, kind: 'internal', context, startMs: nowMs, endMs: nowMs });
    return formatTraceparent(context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue[Symbol.asyncDispose]();
  }

  #root(): TraceContext {
    const ids = randomBytes(24).toString('hex');
    const isSampled = Math.random() < this.#share;
    return { traceId: ids.slice(0, 32), spanId: ids.slice(32), isSampled };
  }

  #isTrusted(address: string | undefined): boolean {
    if (address === undefined) return false;
    return this.#trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
