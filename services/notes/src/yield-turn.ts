import { setImmediate } from 'node:timers/promises';

/** How long searches and imports may hold the thread before other requests get their turn. */
const TURN_MS = 0.5;

let turnStart = 0;

/**
 * To be awaited between two steps, each as short as possible. It waits only when the turn
 * is over: work of many short steps would otherwise wait for a long step of another after each.
 */
export async function yieldTurn(): Promise<void> {
  if (performance.now() - turnStart < TURN_MS) return;
  await setImmediate();
  turnStart = performance.now();
}
