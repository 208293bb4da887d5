import type { ReadBacklog } from './backlog-store.ts';

/** Without a finished attempt for this long, a worker that has work counts as stuck. */
const STUCK_SECONDS = 60;
/** An endpoint that hangs is tried once in this and a deadline: that is no fault of the worker. */
const OPEN_CIRCUIT_SECONDS = 45;

export interface Progress {
  lastFinishedMs: number;
  requestTimeoutMs: number;
  readBacklog: ReadBacklog;
  nowMs: number;
}

/** Throws when nothing was finished for a minute although something has been due for as long. */
export async function assertProgress(progress: Progress): Promise<void> {
  const { lastFinishedMs, requestTimeoutMs, readBacklog, nowMs } = progress;
  const stuckSeconds = Math.max(STUCK_SECONDS, OPEN_CIRCUIT_SECONDS + requestTimeoutMs / 1000);
  const idleSeconds = (nowMs - lastFinishedMs) / 1000;
  if (idleSeconds < stuckSeconds) return;
  const { oldestDueSeconds } = await readBacklog();
  if (oldestDueSeconds < stuckSeconds) return;
  throw new Error(`Nothing was delivered for ${Math.round(idleSeconds)} s although it is due`);
}
