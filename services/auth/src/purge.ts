import type { Logger } from '@atrium/service-kit/logger';

const BATCH_SIZE = 500;
const INTERVAL_MS = 60_000;
/** Between batches, so that a large purge leaves the database to others. */
const PAUSE_MS = 50;

/** Deletes at most `limit` rows that are out of date. @returns how many went */
export type PurgeBatch = (limit: number) => Promise<number>;

/**
 * Deletes in the background what is out of date, in small batches, once a minute. Each batch takes
 * its rows with `FOR UPDATE SKIP LOCKED`, so any number of processes may purge at once. What fails
 * is tried again the next time.
 *
 * @param purges by a name for the log
 */
export function startPurges(options: {
  purges: Record<string, PurgeBatch>;
  logger: Logger;
  batchSize?: number;
  intervalMs?: number;
}): AsyncDisposable {
  const { purges, logger, batchSize = BATCH_SIZE, intervalMs = INTERVAL_MS } = options;
  const stop = new AbortController();

  async function runAll(): Promise<void> {
    for (const [name, batch] of Object.entries(purges)) {
      try {
        await purgeAll(batch);
      } catch (error) {
        logger.warn({ err: error, purge: name }, 'rows out of date could not be deleted');
      }
    }
  }

  async function purgeAll(batch: PurgeBatch): Promise<void> {
    while (!stop.signal.aborted && (await batch(batchSize)) >= batchSize) {
      await pause(PAUSE_MS, stop.signal);
    }
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await runAll();
      await pause(intervalMs, stop.signal);
    }
  }

  const finished = run();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await finished;
    },
  };
}

/** Resolves early, too, when the signal is aborted. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) {
    return Promise.resolve();
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, delayMs);
  signal.addEventListener('abort', done);
  return promise;
}
