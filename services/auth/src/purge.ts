import { sleep } from '@atrium/events/timing';
import type { Logger } from '@atrium/service-kit/logger';

const BATCH_SIZE = 500;
/** Between batches, so that a large purge leaves the database to others. */
const PAUSE_MS = 50;

/** Deletes at most `limit` outdated rows. @returns how many were deleted */
export type PurgeBatch = (limit: number) => Promise<number>;

/**
 * Deletes outdated rows in batches. A purge that fails is logged and does not stop the others.
 *
 * @param purges by a name for the log
 */
export async function runPurges(
  purges: Record<string, PurgeBatch>,
  options: { logger: Logger; signal: AbortSignal; batchSize?: number },
): Promise<void> {
  const { logger, signal, batchSize = BATCH_SIZE } = options;
  for (const [name, purgeBatch] of Object.entries(purges)) {
    try {
      while (!signal.aborted && (await purgeBatch(batchSize)) >= batchSize) {
        await sleep(PAUSE_MS, signal);
      }
    } catch (error) {
      logger.warn(
        { err: error, purge: name },
        'outdated rows could not be deleted, will try again',
      );
    }
  }
}
