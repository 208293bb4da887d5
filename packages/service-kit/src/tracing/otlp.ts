// Imported only by processes that trace: the libraries take 5 MB.
import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { TraceContext } from '@atrium/contracts/traceparent';
import type { FinishedSpan } from '@atrium/events/tracing';
import type { ExportBatch } from './span-queue.ts';

const EXPORT_TIMEOUT_MS = 5_000;
const SCOPE = { name: 'atrium' };
const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<FinishedSpan['kind'], SpanKind>;

/** A span with all that it has when it is sent. */
export interface SentSpan extends FinishedSpan {
  context: TraceContext;
  /** A span of another trace, such as that of a caller who is not trusted. */
  link?: TraceContext | undefined;
}

/** Sends spans to a collector by OTLP over HTTP, as JSON. */
export function openOtlpExporter(options: {
  endpoint: string;
  /** Each as `name=value`, with the value percent-encoded. */
  headers?: readonly string[] | undefined;
  service: string;
  onFailure: (error: Error | undefined) => void;
}): ExportBatch<SentSpan> {
  const { endpoint, headers = [], service, onFailure } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: Object.fromEntries(
      headers.map((header) => {
        const [name = '', ...value] = header.split('=');
        return [name, decodeURIComponent(value.join('='))];
      }),
    ),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const resource = detectResources({ detectors: [envDetector] }).merge(
    resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'atrium',
    }),
  );
  return (spans) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const readable = spans.map((span) => toReadable(span, resource));
    exporter.export(readable, ({ code, error }) => {
      if (code !== 0) onFailure(error);
      resolve(code === 0);
    });
    return promise;
  };
}

function toReadable(span: SentSpan, resource: ReadableSpan['resource']): ReadableSpan {
  const { name, kind, parent, link, error, startMs } = span;
  const context = toSpanContext(span.context);
  // The times of two machines may differ a little, and a wait cannot be negative.
  const endMs = Math.max(startMs, span.endMs);
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => context,
    ...(parent === undefined ? {} : { parentSpanContext: toSpanContext(parent) }),
    startTime: toHrTime(startMs),
    endTime: toHrTime(endMs),
    duration: toHrTime(endMs - startMs),
    ended: true,
    status:
      error === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: error },
    attributes: { ...span.attributes },
    links: link === undefined ? [] : [{ context: toSpanContext(link) }],
    events: [],
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const toSpanContext = ({ traceId, spanId, isSampled }: TraceContext) => ({
  traceId,
  spanId,
  traceFlags: isSampled ? 1 : 0,
});

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
