import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { blockingConnection } from '@atrium/events/queue';
import { recordProcessed } from '@atrium/events/queue-spans';
import type { Tracing } from '@atrium/events/tracing';
import { within } from '@atrium/events/timing';
import { type Job, Worker } from 'bullmq';
import { entriesOf, type IngestDeps, ingestBatch } from './ingest.ts';

const CONCURRENT_BATCHES = 4;
const CLOSE_MS = 5_000;
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
  const worker = new Worker<unknown>(EVENTS_QUEUE, work, {
    connection: blockingConnection(redisUrl),
    prefix: queuePrefix,
    concurrency: CONCURRENT_BATCHES,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'events queue is unavailable'));
  worker.on('failed', (job, error) => {
    logger.error(
      { err: error, jobId: job?.id },
      'batch of events failed, its relay will resend it',
    );
  });
  return {
    async [Symbol.asyncDispose]() {
      // Running batches are finished first. While Redis is unavailable they cannot be, nor need they
      // be: ingestion is idempotent, and the relay sends them again.
      await within(worker.close(), CLOSE_MS);
      void within(worker.disconnect(), CLOSE_MS);
    },
  };
}
