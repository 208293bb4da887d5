import type { Sql } from './database.ts';
import type { Logger } from '../logger.ts';

const INTERVAL_MS = 60_000;
/** The reading is half of the round trip old, give or take; a slower one says too little. */
const ROUND_TRIP_MAX_MS = 1000;

export interface DatabaseClock extends Disposable {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/**
 * The time of the database, so that all processes agree on it: whether something is due, expired or
 * within a grace period must not depend on which machine asks. Between readings it advances with this
 * process's monotonic clock, which no correction of the machine's time moves.
 */
export async function openDatabaseClock(
  sql: Sql,
  { logger, intervalMs = INTERVAL_MS }: { logger?: Logger; intervalMs?: number } = {},
): Promise<DatabaseClock> {
  /** What `performance.now()` lacks to the time of the database. */
  async function readOffset(): Promise<{ offsetMs: number; roundTripMs: number }> {
    const sentMs = performance.now();
    const [row] = await sql.query<{ nowMs: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"',
    );
    const roundTripMs = performance.now() - sentMs;
    return { offsetMs: (row?.nowMs ?? Date.now()) - sentMs - roundTripMs / 2, roundTripMs };
  }

  let { offsetMs } = await readOffset();

  async function adjust(): Promise<void> {
    try {
      const reading = await readOffset();
      if (reading.roundTripMs <= ROUND_TRIP_MAX_MS) offsetMs = reading.offsetMs;
    } catch (error) {
      logger?.debug({ err: error }, 'the time of the database could not be read, will try again');
    }
  }

  const timer = setInterval(() => void adjust(), intervalMs);
  timer.unref();
  return {
    nowMs: () => Math.floor(performance.now() + offsetMs),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
