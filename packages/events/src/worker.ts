import { type Processor, Worker, type WorkerOptions } from 'bullmq';
import {
  blockingConnection,
  createErrorLog,
  type EventLogger,
  type QueueLocation,
} from './queue.ts';
import { sleep, within } from './timing.ts';

/** How long a worker rests after Redis has refused to give it a job. */
const REST_MS = 1_000;
const CLOSE_MS = 5_000;

export interface OpenWorkerOptions
  extends
    QueueLocation,
    Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount'> {
  logger: EventLogger;
}

/** A worker that processes the jobs of a queue. */
export interface OpenWorker<Payload, Result> extends AsyncDisposable {
  worker: Worker<Payload, Result>;
}

class RestingWorker<Payload, Result> extends Worker<Payload, Result> {
  readonly #closing = new AbortController();

  /** BullMQ would ask a Redis that is full again at once, thousands of times a second. */
  protected override async moveToActive(token: string, name?: string) {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await sleep(REST_MS, this.#closing.signal);
      throw error;
    }
  }

  override async close(force?: boolean): Promise<void> {
    this.#closing.abort();
    await super.close(force);
  }
}

/** Starts a worker, which waits for Redis for ever. Disposal waits up to 5 s for active jobs. */
export function openWorker<Payload, Result>(
  name: string,
  work: Processor<Payload, Result>,
  { redisUrl, queuePrefix, logger, ...options }: OpenWorkerOptions,
): OpenWorker<Payload, Result> {
  const worker = new RestingWorker<Payload, Result>(name, work, {
    connection: blockingConnection(redisUrl),
    prefix: queuePrefix,
    ...options,
  });
  worker.on(
    'error',
    createErrorLog(logger, { queue: name }, 'queue worker failed, will try again'),
  );
  return {
    worker,
    [Symbol.asyncDispose]: async () => {
      await within(worker.close(), CLOSE_MS);
      // Without Redis, closing would never end.
      void within(worker.disconnect(), CLOSE_MS);
    },
  };
}
