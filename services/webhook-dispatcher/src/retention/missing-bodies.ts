import { newId } from '@atrium/contracts/ids';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import { type BackgroundLoop, startBackgroundLoop } from '../background-loop.ts';
import { createMissingBodiesStore } from './missing-bodies-store.ts';

const LOOK_INTERVAL_MS = 60_000;

export interface MissingBodiesOptions {
  database: Database;
  logger: Logger;
  onEnded: (count: number) => void;
  clockMs: () => number;
}

/**
 * Ends deliveries whose body is gone. Intake, erasure and retention keep the two together, so this is
 * for what they cannot prevent, such as a damaged or partly restored table. The lease finds nothing
 * to send for such a row and passes it over each time, and a few of them at the head of an endpoint's
 * queue would keep the rest from ever being read.
 */
export function startMissingBodiesCheck(options: MissingBodiesOptions): BackgroundLoop {
  const { database, logger, onEnded, clockMs } = options;
  const store = createMissingBodiesStore(database);
  return startBackgroundLoop({
    name: 'missing bodies',
    logger,
    retryMs: LOOK_INTERVAL_MS,
    async step() {
      const found = await store.find();
      if (found.length === 0) return LOOK_INTERVAL_MS;
      const ended = await store.end(
        found.map((each) => ({ ...each, attemptId: newId('att', clockMs()) })),
      );
      if (ended === 0) return LOOK_INTERVAL_MS;
      logger.error(
        { ended, webhookIds: [...new Set(found.map(({ subscriptionId }) => subscriptionId))] },
        'deliveries were ended because their bodies are gone',
      );
      onEnded(ended);
      // There may be more behind those.
      return 0;
    },
  });
}
