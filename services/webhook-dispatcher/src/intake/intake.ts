import { setTimeout as sleep } from 'node:timers/promises';
import { EVENTS_QUEUE, EventBatch } from '@atrium/contracts/queues';
import { blockingConnection } from '@atrium/events/queue';
import type { Logger } from '@atrium/service-kit/logger';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import { Compile } from 'typebox/compile';
import { fanOut } from './fan-out.ts';
import type { IntakeStore } from './store.ts';

const CONCURRENT_BATCHES = 4;
const CLOSE_MS = 5_000;
const eventBatch = Compile(EventBatch);

export interface TakeInDeps {
  store: IntakeStore;
  clockMs: () => number;
}

/** Stores a batch of events and their deliveries; answers how many deliveries are new. */
export async function takeIn(payload: unknown, { store, clockMs }: TakeInDeps): Promise<number> {
  if (!eventBatch.Check(payload)) throw new UnrecoverableError('The job is not a batch of events');
  const { events } = payload;
  return store.store(events, fanOut(events, await store.candidates(events), clockMs()));
}

export interface IntakeOptions extends TakeInDeps {
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  /** Told when new deliveries are due. */
  onDeliveries: (count: number) => void;
}

/**
 * Takes events off the queue for as long as it lives. A batch that fails stays failed: the relay that
 * sent it still has its events and sends them again.
 */
export function startIntake(options: IntakeOptions): AsyncDisposable {
  const { redisUrl, queuePrefix, logger, onDeliveries } = options;
  const work = async (job: Job<unknown>): Promise<void> => {
    const count = await takeIn(job.data, options);
    if (count > 0) onDeliveries(count);
  };
  const worker = new Worker<unknown>(EVENTS_QUEUE, work, {
    connection: blockingConnection(redisUrl),
    prefix: queuePrefix,
    concurrency: CONCURRENT_BATCHES,
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'events queue is away'));
  worker.on('failed', (job, error) => {
    logger.error({ err: error, jobId: job?.id }, 'a batch of events was not taken in');
  });
  return {
    async [Symbol.asyncDispose]() {
      // Running batches are finished first; while Redis is away they cannot be, nor need they be:
      // intake is idempotent and the relay sends them again.
      await Promise.race([worker.close(), sleep(CLOSE_MS, undefined, { ref: false })]);
      await worker.disconnect();
    },
  };
}
