import type { ReadBacklog } from './backlog-store.ts';

/** Without a finished attempt for this long, a worker that has work counts as stuck. */
const STUCK_SECONDS = 60;

/** Throws when nothing was finished for a minute although something has been due for as long. */
export async function assertProgress(
  lastFinishedMs: number,
  readBacklog: ReadBacklog,
  nowMs: number,
): Promise<void> {
  const idleSeconds = (nowMs - lastFinishedMs) / 1000;
  if (idleSeconds < STUCK_SECONDS) return;
  const { oldestDueSeconds } = await readBacklog();
  if (oldestDueSeconds < STUCK_SECONDS) return;
  throw new Error(`Nothing was delivered for ${Math.round(idleSeconds)} s although it is due`);
}
