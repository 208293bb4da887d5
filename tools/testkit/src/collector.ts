import { startReceiver } from './receiver.ts';

/** A span as a collector has it. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  startMs: number;
  endMs: number;
  /** A status code of OTLP: 2 is an error. */
  statusCode: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
}

export interface Collector extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** All spans so far, the earliest first. */
  spans(): CollectedSpan[];
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpSpan extends Omit<CollectedSpan, 'service' | 'attributes' | 'statusCode'> {
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
  attributes: Attribute[];
}

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

/** Stands in for a collector: takes OTLP over HTTP as JSON, at /v1/traces, and keeps the spans. */
export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver({
    respond: (_n, { path }) => ({ status: path === '/v1/traces' ? 200 : 404, body: '{}' }),
  });
  return {
    url: receiver.url.replace(/\/$/, ''),
    spans: () =>
      receiver.requests
        .flatMap(({ rawBody }) => spansIn(JSON.parse(rawBody.toString())))
        .toSorted((a, b) => a.startMs - b.startMs),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

function spansIn({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, links, ...span }) => ({
        service,
        name,
        traceId,
        spanId,
        parentSpanId,
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        statusCode: span.status.code,
        attributes: valuesOf(span.attributes),
        links,
      })),
    );
  });
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
