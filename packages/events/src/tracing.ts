import type { TraceContext } from '@atrium/contracts/traceparent';

/** As OpenTelemetry has them. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** A span that has ended. */
export interface FinishedSpan {
  name: string;
  kind: SpanKind;
  /** What caused it; without one it is the root of its trace, and has a context. */
  parent?: TraceContext | undefined;
  /** Chosen by `child` where others had to know it before the end. */
  context?: TraceContext;
  /** Unix milliseconds. */
  startMs: number;
  endMs: number;
  /** Named as OpenTelemetry's semantic conventions have it, and ours `atrium.…`. */
  attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed. */
  error?: string | undefined;
}

/**
 * Records traces. A process has none unless it is configured to, so that it costs nothing but a comparison where
 * something could be recorded. Nothing here waits or throws.
 */
export interface Tracing {
  /** Records a span of a trace that is sampled. */
  record(span: FinishedSpan): void;
  /** Records a span that failed, of any trace: a few a second. */
  recordFailure(span: FinishedSpan): void;
  /** The context of a span below this one. */
  child(parent: TraceContext): TraceContext;
}
