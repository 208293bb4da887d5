import { type ScheduledJob, startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { purgeIdempotencyKeys } from '@atrium/service-kit/idempotency-store';
import { type Metrics, partitionEnds } from '@atrium/service-kit/metrics';
import { type OrphanOptions, storeOrphanedClicks } from './clicks/orphans.ts';
import { expireClicks, trimClicks } from './clicks/retention.ts';
import type { Database } from './database.ts';
import { purgeDeletedLinks } from './links/purge.ts';

const HOUR_MS = 3_600_000;

interface JobDeps {
  database: Database;
  clicks: OrphanOptions;
  clickRetentionDays: number;
  metrics: Metrics;
  redisUrl: string;
  queuePrefix: string;
  clockMs: () => number;
}

/** Starts what is done in time, by all processes together. */
export function startJobs(deps: JobDeps): AsyncDisposable {
  const { database, clicks, redisUrl, queuePrefix } = deps;
  const { logger } = clicks;
  const expiry = {
    database,
    logger,
    retentionDays: deps.clickRetentionDays,
    onMade: partitionEnds(deps.metrics),
    clockMs: deps.clockMs,
  };
  const start = (queue: string, jobs: Record<string, ScheduledJob>) =>
    startScheduledJobs({ queue, jobs, redisUrl, queuePrefix, logger });
  const queues = [
    // Not behind a purge, which may take ten minutes: clicks show, and are sent as events, once they are stored.
    start('links-orphaned-clicks', {
      'store-orphaned-clicks': {
        everyMs: 10_000,
        run: (signal) => storeOrphanedClicks(clicks, signal),
      },
    }),
    start('links-jobs', {
      'purge-idempotency-keys': {
        everyMs: HOUR_MS,
        run: (signal) => purgeIdempotencyKeys(database, signal),
      },
      'expire-clicks': {
        everyMs: HOUR_MS,
        run: (signal) => expireClicks(expiry, signal),
      },
      'trim-clicks': {
        everyMs: HOUR_MS,
        run: (signal) => trimClicks(database, signal),
      },
      'purge-deleted-links': {
        everyMs: 60_000,
        run: (signal) => purgeDeletedLinks(database, signal),
      },
    }),
  ];
  return {
    async [Symbol.asyncDispose]() {
      // Together: each may have to wait for a server that is unavailable.
      await Promise.all(queues.map((queue) => queue[Symbol.asyncDispose]()));
    },
  };
}
