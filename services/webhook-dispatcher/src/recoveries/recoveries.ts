import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { WakeWorkers } from '../scheduling/wake.ts';
import { type BackgroundLoop, startBackgroundLoop } from '../background-loop.ts';
import { createRecoveryStore } from './store.ts';

const BATCH_SIZE = 500;
const POLL_MS = 1_000;

export interface RecoveriesOptions {
  database: Database;
  logger: Logger;
  wakeWorkers: WakeWorkers;
  /** Deliveries that one step makes due at most (500). */
  batchSize?: number;
}

/**
 * Carries out what owners have asked to recover, in steps of one transaction each: a worker that dies
 * leaves its last whole step, and any other goes on from there.
 */
export function startRecoveries(options: RecoveriesOptions): BackgroundLoop {
  const { database, logger, wakeWorkers, batchSize = BATCH_SIZE } = options;
  const store = createRecoveryStore(database);
  let lastId = '';
  return startBackgroundLoop({
    name: 'recoveries',
    logger,
    retryMs: POLL_MS,
    async step() {
      const done = await store.advance(lastId, batchSize);
      lastId = done?.recoveryId ?? '';
      if (done !== undefined && done.recovered > 0) await wakeWorkers([done.subscriptionId]);
      return done === undefined ? POLL_MS : 0;
    },
  });
}
