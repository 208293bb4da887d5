import { setImmediate } from 'node:timers/promises';

/** Work of all requests together, after which others have their turn. */
const TURN_MS = 10;

let spentMs = 0;
let nextTurn: Promise<void> | undefined;

/**
 * Does work that may take a while once the event loop has had a turn since the last of such, of whichever request:
 * nobody waits behind all the requests that have arrived together.
 */
export async function inTurn<T>(work: () => T): Promise<T> {
  while (spentMs > TURN_MS) {
    nextTurn ??= setImmediate().then(() => {
      spentMs = 0;
      nextTurn = undefined;
    });
    await nextTurn;
  }
  const startMs = performance.now();
  try {
    return work();
  } finally {
    spentMs += performance.now() - startMs;
  }
}
