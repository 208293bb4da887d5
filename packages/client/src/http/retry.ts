import type { AtriumError } from './error.ts';

const ATTEMPTS_MAX = 4;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;

/**
 * How long to wait before the next attempt; undefined when there is none. 429 and a service's own 503 say
 * that nothing was done, or only what a repetition with the same Idempotency-Key finds, so every call is
 * repeated; otherwise only calls that may run twice are.
 *
 * @param attempt number of the failed attempt, from 1
 */
export function retryDelayMs(
  error: AtriumError,
  attempt: number,
  isIdempotent: boolean,
): number | undefined {
  if (attempt >= ATTEMPTS_MAX) return undefined;
  const { status, code, retryAfterMs } = error;
  // A 409 that says when to come back: the first request with the Idempotency-Key is in progress.
  const isInProgress = status === 409 && retryAfterMs !== undefined;
  const wasRefused = status === 429 || code === 'unavailable' || isInProgress;
  // Proxies answer 503 also when they have lost the answer of the service.
  const wasLost = [0, 502, 503, 504].includes(status) || code === 'outcome-unknown';
  if (!wasRefused && !(wasLost && isIdempotent)) return undefined;
  return Math.max(retryAfterMs ?? 0, backoffMs(attempt));
}

/** Exponential, with jitter between a half and the whole. */
export function backoffMs(attempt: number): number {
  const fullMs = Math.min(BACKOFF_FIRST_MS * 2 ** (attempt - 1), BACKOFF_MAX_MS);
  return fullMs * (0.5 + Math.random() / 2);
}
