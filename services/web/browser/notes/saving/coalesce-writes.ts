import { afterPaint } from '../after-paint.ts';

/**
 * Runs a write once for any number of calls at the same time, and again when there was a call meanwhile: one
 * at a time, and the newest last. None begins before the key that asked for it has been painted.
 */
export function coalesceWrites(write: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isWanted = false;
  async function run(): Promise<void> {
    while (isWanted) {
      await afterPaint();
      isWanted = false;
      await write();
    }
  }
  return () => {
    isWanted = true;
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}
