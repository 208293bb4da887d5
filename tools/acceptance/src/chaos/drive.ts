import { setTimeout as sleep } from 'node:timers/promises';

/** Causes one event and returns its marker, or null when the request was not accepted. */
export type Produce = () => Promise<string | null>;

export interface DriveOptions {
  /** They run concurrently. */
  producers: readonly Produce[];
  /** How many requests must be accepted. */
  count: number;
  /** The duration over which they are spread; it takes longer if the platform is slower. */
  overMs: number;
  onAccepted: (marker: string) => void;
  signal: AbortSignal;
}

/** Pause after a rejection, so that a restarting service is not flooded. */
const REFUSED_PAUSE_MS = 100;

/** Causes events at a constant rate, without bursts after rejections, until `count` are accepted. */
export async function drive(options: DriveOptions): Promise<void> {
  const { producers, count, overMs, onAccepted, signal } = options;
  const intervalMs = overMs / count;
  let left = count;
  let nextAtMs = performance.now();

  async function waitForSlot(): Promise<void> {
    const nowMs = performance.now();
    const atMs = Math.max(nextAtMs, nowMs - intervalMs);
    nextAtMs = atMs + intervalMs;
    if (atMs > nowMs) await sleep(atMs - nowMs, undefined, { signal });
  }

  async function work(produce: Produce): Promise<void> {
    while (left > 0) {
      left -= 1;
      await waitForSlot();
      signal.throwIfAborted();
      const marker = await produce();
      if (marker === null) {
        left += 1;
        await sleep(REFUSED_PAUSE_MS, undefined, { signal });
      } else {
        onAccepted(marker);
      }
    }
  }

  await Promise.all(producers.map(work));
}
