import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { recordProcessed } from '@atrium/events/queue-spans';
import type { Tracing } from '@atrium/events/tracing';
import { openWorker } from '@atrium/events/worker';
import type { Job } from 'bullmq';
import { entriesOf, type IngestDeps, ingestBatch } from './ingest.ts';

const CONCURRENT_BATCHES = 4;
/** How long a batch waits that a killed worker had begun: its lock expires and is then noticed. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;

export interface EventConsumerOptions extends IngestDeps {
  redisUrl: string;
  queuePrefix: string;
  tracing?: Tracing | undefined;
  /** Called with the subscriptions that have new deliveries. */
  onDeliveries: (subscriptionIds: string[]) => void;
}

/**
 * Ingests batches from the events queue until disposed of. A batch that fails stays failed: the
 * relay that sent it still has its events and sends them again.
 */
export function startEventConsumer(options: EventConsumerOptions): AsyncDisposable {
  const { redisUrl, queuePrefix, logger, tracing, onDeliveries } = options;
  const work = async (job: Job<unknown>): Promise<void> => {
    const startMs = Date.now();
    const subscriptionIds = await ingestBatch(job.data, options);
    if (tracing !== undefined) {
      const timing = { queue: EVENTS_QUEUE, addedMs: job.timestamp, startMs };
      recordProcessed(tracing, entriesOf(job.data), timing);
    }
    if (subscriptionIds.length > 0) onDeliveries(subscriptionIds);
  };
  // Running batches are finished at the disposal. While Redis is unavailable they cannot be, nor need they be:
  // ingestion is idempotent, and the relay sends them again.
  const { worker, ...opened } = openWorker(EVENTS_QUEUE, work, {
    redisUrl,
    queuePrefix,
    logger,
    concurrency: CONCURRENT_BATCHES,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
  });
  worker.on('failed', (job, error) => {
    logger.error(
      { err: error, jobId: job?.id },
      'batch of events failed, its relay will resend it',
    );
  });
  return opened;
}
