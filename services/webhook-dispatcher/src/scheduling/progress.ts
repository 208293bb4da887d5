import type { ReadBacklog } from './backlog-store.ts';

/** A worker that has work but finishes no attempt for this long is stuck. */
const STUCK_SECONDS = 60;
/** The longest pause of a circuit breaker and some: a hanging endpoint does not make a worker stuck. */
const OPEN_CIRCUIT_SECONDS = 45;

export interface Progress {
  /** Milliseconds since an attempt last finished. */
  idleMs: number;
  requestTimeoutMs: number;
  readBacklog: ReadBacklog;
}

/** Throws when no attempt finished for a minute although something was due all that time. */
export async function assertProgress(progress: Progress): Promise<void> {
  const { idleMs, requestTimeoutMs, readBacklog } = progress;
  const stuckSeconds = Math.max(STUCK_SECONDS, OPEN_CIRCUIT_SECONDS + requestTimeoutMs / 1000);
  const idleSeconds = idleMs / 1000;
  if (idleSeconds < stuckSeconds) return;
  const { oldestDueSeconds } = await readBacklog();
  if (oldestDueSeconds < stuckSeconds) return;
  throw new Error(`Nothing was delivered for ${Math.round(idleSeconds)} s although it is due`);
}
