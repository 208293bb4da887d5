/** Names a span to what it causes, and says whether its trace is recorded. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  isSampled: boolean;
}

// Version 00 of https://www.w3.org/TR/trace-context/#traceparent-header, and what later ones begin with.
const PATTERN =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const LENGTH_MAX = 200;

/** Undefined for what is not a `traceparent`. */
export function parseTraceparent(text: string | null | undefined): TraceContext | undefined {
  if (text === undefined || text === null || text.length > LENGTH_MAX) return undefined;
  const [, traceId, spanId, flags] = PATTERN.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`;
}

/** Whether a `traceparent`, as we write it, says that its trace is recorded. */
export function isSampled(traceparent: string | null | undefined): traceparent is string {
  return traceparent?.endsWith('1') === true;
}
