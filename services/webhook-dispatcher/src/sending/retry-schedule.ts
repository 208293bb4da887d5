/** An endpoint may ask for more time, up to this. */
export const RETRY_AFTER_MAX_MS = 3_600_000;
const JITTER = 0.2;

export interface RetryDelayInput {
  /** The attempt that has just failed, from 1. */
  attempt: number;
  /** Delay after attempt 1, 2, … in milliseconds. */
  delaysMs: readonly number[];
  /** Uniform in [0, 1). */
  random: number;
  /** What the endpoint asked for, if it did. */
  retryAfterMs?: number | undefined;
}

/**
 * Milliseconds until the next attempt, or undefined when this was the last one. A jitter of ±20 %
 * spreads the retries of what failed together. A Retry-After can lengthen the delay up to an hour
 * and never shortens it.
 */
export function retryDelayMs(input: RetryDelayInput): number | undefined {
  const baseMs = input.delaysMs[input.attempt - 1];
  if (baseMs === undefined) return undefined;
  const scheduledMs = Math.round(baseMs * (1 - JITTER + 2 * JITTER * input.random));
  return Math.max(scheduledMs, Math.min(input.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
}

/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3): seconds, or an HTTP date. Anything
 * else, or a date in the past, is ignored.
 */
export function parseRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // A date has a month's name in it; Date.parse alone would also take "-1" and "2.5" for years.
  const atMs = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) || atMs <= nowMs ? undefined : atMs - nowMs;
}
