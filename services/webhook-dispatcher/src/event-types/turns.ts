import { setImmediate } from 'node:timers/promises';

/** After so much work, of all requests together, others have their turn. */
const TURN_MS = 10;

let spentMs = 0;
let nextTurn: Promise<void> | undefined;

/**
 * Does work that may take a while. Waits for the event loop once 10 ms of such work have been done, by whichever
 * requests: nobody waits behind all the requests that have arrived together.
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
