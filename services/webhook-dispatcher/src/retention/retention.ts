import { idBound } from '@atrium/contracts/ids';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import { type BackgroundLoop, startBackgroundLoop } from '../background-loop.ts';
import { createRetentionStore, type PurgeStep } from './store.ts';

const SWEEP_INTERVAL_MS = 3_600_000;
const RETRY_MS = 60_000;
const DAY_MS = 86_400_000;
/** Whoever was adding to a subscription when it was deleted has finished by then. */
const DELETED_SETTLE_MS = 300_000;

export interface RetentionOptions {
  database: Database;
  logger: Logger;
  /** How long what happened stays visible; what still waits for an attempt stays longer. */
  retentionDays: number;
  clockMs: () => number;
}

/**
 * Purges what is too old, and what belongs to deleted subscriptions: a sweep at the start and every
 * hour, in small batches, pausing after each for as long as it took, so that a purge never takes
 * more than half of one connection. Several workers share the work.
 */
export function startRetention(options: RetentionOptions): BackgroundLoop {
  const { database, logger, retentionDays, clockMs } = options;
  const store = createRetentionStore(database);
  const oldMs = () => clockMs() - retentionDays * DAY_MS;
  const purges: [name: string, purge: (after: string) => Promise<PurgeStep>][] = [
    [
      'subscriptions',
      () => store.purgeDeletedSubscriptions(new Date(clockMs() - DELETED_SETTLE_MS)),
    ],
    ['deliveries', (after) => store.purgeDeliveries(after, idBound('dlv', oldMs()))],
    ['events', (after) => store.purgeEvents(after, idBound('evt', oldMs()))],
    ['recoveries', (after) => store.purgeRecoveries(after, idBound('rcv', oldMs()))],
    ['rejectedEvents', () => store.purgeRejectedEvents(new Date(oldMs()))],
  ];
  let remaining = [...purges];
  let cursor = '';
  let removed: Record<string, number> = {};

  return startBackgroundLoop({
    name: 'retention',
    logger,
    retryMs: RETRY_MS,
    async step() {
      const [current] = remaining;
      if (current === undefined) {
        if (Object.keys(removed).length > 0) logger.info({ removed }, 'purged what was too old');
        remaining = [...purges];
        removed = {};
        return SWEEP_INTERVAL_MS;
      }
      const [name, purge] = current;
      const startMs = performance.now();
      const step = await purge(cursor);
      if (step.removed > 0) removed[name] = (removed[name] ?? 0) + step.removed;
      if (step.next === null) remaining.shift();
      cursor = step.next ?? '';
      return performance.now() - startMs;
    },
  });
}
