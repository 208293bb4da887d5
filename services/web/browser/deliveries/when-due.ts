import type { Delivery } from '@atrium/client';

const MINUTE_MS = 60_000;

/** What is `due` for a minute waits for something else: its webhook is paused, or a command fetches it. */
export function whenDue(at: string, nowMs: number): 'due' | 'soon' | 'later' {
  const distanceMs = Date.parse(at) - nowMs;
  if (distanceMs >= MINUTE_MS) return 'later';
  return distanceMs > -MINUTE_MS ? 'soon' : 'due';
}

/** Whoever has mended an endpoint need not wait for the next attempt; what is due is sent anyway. */
export function canResend(
  { state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>,
  nowMs: number,
): boolean {
  if (state === 'failed') return nextAttemptAt !== null && Date.parse(nextAttemptAt) > nowMs;
  return state !== 'pending';
}
