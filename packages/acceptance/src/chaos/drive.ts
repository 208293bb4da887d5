import { setTimeout as sleep } from 'node:timers/promises';

/** Does one thing that makes an event. Gives its mark, or null when it was not accepted. */
export type Produce = () => Promise<string | null>;

export interface DriveOptions {
  /** Those that work at the same time, each on its own. */
  producers: readonly Produce[];
  /** How many actions are to be accepted. */
  count: number;
  /** Over how long they are spread; longer when the platform takes them more slowly. */
  overMs: number;
  onAccepted: (mark: string) => void;
  signal: AbortSignal;
}

/** After a refusal: a service that is starting again is not to be kept busy with us. */
const REFUSED_PAUSE_MS = 100;

/**
 * Makes events at an even rate until `count` are accepted. What is refused is not made up for in a
 * burst: the same rate goes on for longer.
 */
export async function drive(options: DriveOptions): Promise<void> {
  const { producers, count, overMs, onAccepted, signal } = options;
  const intervalMs = overMs / count;
  let left = count;
  let nextAtMs = performance.now();

  async function ownTurn(): Promise<void> {
    const nowMs = performance.now();
    const atMs = Math.max(nextAtMs, nowMs - intervalMs);
    nextAtMs = atMs + intervalMs;
    if (atMs > nowMs) await sleep(atMs - nowMs, undefined, { signal });
  }

  async function work(produce: Produce): Promise<void> {
    while (left > 0) {
      left -= 1;
      await ownTurn();
      signal.throwIfAborted();
      const mark = await produce();
      if (mark === null) {
        left += 1;
        await sleep(REFUSED_PAUSE_MS, undefined, { signal });
      } else {
        onAccepted(mark);
      }
    }
  }

  await Promise.all(producers.map(work));
}
