import { type Metrics, partitionEnds } from '@atrium/service-kit/metrics';
import { purgeIdempotencyKeys } from '@atrium/service-kit/idempotency-store';
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
  clockMs: () => number;
}

/** What is done in time, by all processes together. */
export function createJobs({ database, clicks, clickRetentionDays, metrics, clockMs }: JobDeps) {
  const expiry = {
    database,
    logger: clicks.logger,
    retentionDays: clickRetentionDays,
    onMade: partitionEnds(metrics),
    clockMs,
  };
  return {
    'store-orphaned-clicks': {
      everyMs: 10_000,
      run: (signal: AbortSignal) => storeOrphanedClicks(clicks, signal),
    },
    'purge-idempotency-keys': {
      everyMs: HOUR_MS,
      run: (signal: AbortSignal) => purgeIdempotencyKeys(database, signal),
    },
    'expire-clicks': {
      everyMs: HOUR_MS,
      run: (signal: AbortSignal) => expireClicks(expiry, signal),
    },
    'trim-clicks': {
      everyMs: HOUR_MS,
      run: (signal: AbortSignal) => trimClicks(database, signal),
    },
    'purge-deleted-links': {
      everyMs: 60_000,
      run: (signal: AbortSignal) => purgeDeletedLinks(database, signal),
    },
  };
}
