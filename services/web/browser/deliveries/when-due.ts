const MINUTE_MS = 60_000;

/** What is `due` for a minute waits for something else: its webhook is paused, or a command fetches it. */
export function whenDue(at: string, nowMs: number): 'due' | 'soon' | 'later' {
  const distanceMs = Date.parse(at) - nowMs;
  if (distanceMs >= MINUTE_MS) return 'later';
  return distanceMs > -MINUTE_MS ? 'soon' : 'due';
}
