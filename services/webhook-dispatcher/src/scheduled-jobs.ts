import { HELD_DELIVERIES_MAX, PAUSED_DELIVERIES_MAX } from '@atrium/contracts/webhooks/webhooks';
import { type ScheduledJob, startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { purgeIdempotencyKeys } from '@atrium/service-kit/idempotency-store';
import type { Logger } from '@atrium/service-kit/logger';
import { type Metrics, partitionEnds } from '@atrium/service-kit/metrics';
import { createPartitions } from '@atrium/service-kit/partitions';
import type { Database } from './database.ts';
import { type AdmitDeps, admitHeldDeliveries } from './ingestion/held-deliveries.ts';
import {
  RECOVERIES_JOB,
  RECOVERIES_QUEUE,
  type RecoveriesDeps,
  runRecoveries,
} from './recoveries/recoveries.ts';
import { createLongPausesStore, createSlowWebhooksStore } from './retention/full-webhooks-store.ts';
import { disableFullWebhooks } from './retention/full-webhooks.ts';
import { createMissingBodiesStore } from './retention/missing-bodies-store.ts';
import { exhaustMissingBodies } from './retention/missing-bodies.ts';
import { runRetention } from './retention/retention.ts';
import { ATTEMPTS, createRetentionStore, EVENTS } from './retention/store.ts';

const ADMISSION_INTERVAL_MS = 1_000;
/** As long as a run may take, so that one that was cut off goes on at once. An idle run is a few queries. */
const RETENTION_INTERVAL_MS = 600_000;
const IDEMPOTENCY_KEYS_INTERVAL_MS = 3_600_000;
const MISSING_BODIES_INTERVAL_MS = 60_000;
const FULL_WEBHOOKS_INTERVAL_MS = 300_000;
/** Recoveries run when asked for; this finds those whose request was lost with Redis. */
const RECOVERIES_INTERVAL_MS = 30_000;

interface WorkerJobs {
  admission: AdmitDeps;
  recoveries: RecoveriesDeps;
  onWithoutBody: (count: number) => void;
  /** How long bodies and attempts are kept. */
  retentionDays: number;
  database: Database;
  metrics: Metrics;
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  clockMs: () => number;
}

/** Admission, recoveries and retention, shared by all workers: apart, as each may take long. */
export function startWorkerJobs(deps: WorkerJobs): AsyncDisposable[] {
  const { database, redisUrl, queuePrefix, logger, clockMs } = deps;
  const start = (queue: string, jobs: Record<string, ScheduledJob>) =>
    startScheduledJobs({ queue, jobs, redisUrl, queuePrefix, logger });
  const partitioning = { ...deps, onMade: partitionEnds(deps.metrics) };
  const retention = {
    ...deps,
    store: createRetentionStore(database),
    attempts: createPartitions(database, ATTEMPTS, partitioning),
    events: createPartitions(database, EVENTS, partitioning),
  };
  const missingBodies = {
    store: createMissingBodiesStore(database),
    onExhausted: deps.onWithoutBody,
    logger,
    clockMs,
  };
  const longPauses = {
    store: createLongPausesStore(database),
    deliveriesMax: PAUSED_DELIVERIES_MAX,
    logger,
  };
  const slowWebhooks = {
    store: createSlowWebhooksStore(database, clockMs),
    deliveriesMax: HELD_DELIVERIES_MAX,
    logger,
  };
  return [
    start('webhook-admission', {
      admission: {
        everyMs: ADMISSION_INTERVAL_MS,
        run: (signal) => admitHeldDeliveries(deps.admission, signal),
      },
    }),
    start(RECOVERIES_QUEUE, {
      [RECOVERIES_JOB]: {
        everyMs: RECOVERIES_INTERVAL_MS,
        run: (signal) => runRecoveries(deps.recoveries, signal),
      },
    }),
    start('webhook-retention', {
      retention: {
        everyMs: RETENTION_INTERVAL_MS,
        run: (signal) => runRetention(retention, signal),
      },
      'purge-idempotency-keys': {
        everyMs: IDEMPOTENCY_KEYS_INTERVAL_MS,
        run: (signal) => purgeIdempotencyKeys(database, signal),
      },
    }),
    // Not behind retention, which has much to delete when deliveries of a whole partition have expired.
    start('webhook-checks', {
      'missing-bodies': {
        everyMs: MISSING_BODIES_INTERVAL_MS,
        run: (signal) => exhaustMissingBodies(missingBodies, signal),
      },
      'long-pauses': {
        everyMs: FULL_WEBHOOKS_INTERVAL_MS,
        run: (signal) => disableFullWebhooks(longPauses, signal),
      },
      'slow-webhooks': {
        everyMs: FULL_WEBHOOKS_INTERVAL_MS,
        run: (signal) => disableFullWebhooks(slowWebhooks, signal),
      },
    }),
  ];
}
