import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { ProcessTracing } from '../tracing/tracing.ts';
import type { Server } from './server.ts';

/** Orchestrators and Prometheus ask for these all the time. */
const NOT_TRACED = new Set(['/livez', '/readyz', '/metrics']);

/** Begins the trace of each request with its logger, whose lines carry its ids. */
export function tracedLogger(tracing: ProcessTracing | undefined) {
  if (tracing === undefined) return {};
  return {
    childLoggerFactory(
      logger: FastifyBaseLogger,
      bindings: Record<string, unknown>,
      options: object,
      raw: FastifyRequest['raw'],
    ): FastifyBaseLogger {
      if (NOT_TRACED.has(raw.url ?? '')) return logger.child(bindings, options);
      raw.trace = tracing.startRequest(raw, String(bindings['requestId']));
      const { traceId: trace_id, spanId: span_id } = raw.trace.context;
      return logger.child({ ...bindings, trace_id, span_id }, options);
    },
  };
}

/** Runs each handler in the context of its request, from when its body has arrived. */
export function runTraced(server: Server, tracing: ProcessTracing | undefined): void {
  if (tracing === undefined) return;
  server.addHook('preValidation', ({ raw: { trace } }, _reply, done) => {
    if (trace === undefined) done();
    else tracing.run(trace, done);
  });
}

/** Records the span of a request that has been answered; its own if it failed and the trace is not sampled. */
export function recordRequest(
  tracing: ProcessTracing,
  { request, reply, route }: { request: FastifyRequest; reply: FastifyReply; route: string },
): void {
  const { trace } = request.raw;
  if (trace === undefined) return;
  trace.sampleFor(request.account?.id);
  const { statusCode: status } = reply;
  const hasFailed = status >= 500;
  if (!trace.context.isSampled && !hasFailed) return;
  const { context, parent, link, startMs, requestId } = trace;
  const span = {
    name: `${request.method} ${route}`,
    kind: 'server' as const,
    context,
    parent,
    link,
    startMs,
    endMs: startMs + reply.elapsedTime,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': status,
      'atrium.request_id': requestId,
    },
    error: hasFailed ? String(status) : undefined,
  };
  if (hasFailed) tracing.recordFailure(span);
  else tracing.record(span);
}
