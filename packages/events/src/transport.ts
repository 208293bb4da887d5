import { EVENTS_QUEUE, type EventBatch } from '@atrium/contracts/queues';
import { QueueEvents } from 'bullmq';
import {
  blockingConnection,
  type EventLogger,
  openQueue,
  type OpenQueue,
  type QueueLocation,
} from './queue.ts';
import { untilAborted, within } from './waiting.ts';

/** What the queue knows of a batch. */
export type JobState = 'completed' | 'failed' | 'pending' | 'missing';
/** What was heard of a batch: `unclear` asks for a look at the queue. */
export type Notice = 'completed' | 'unclear';

/** Completed jobs are kept a while, so that a relay that missed the news finds them done. */
const KEEP_COMPLETED = { age: 3600, count: 1000 };
/** Short, because closing a listener takes up to this long once Redis is away. */
const LISTEN_BLOCK_MS = 1_000;
const CLOSE_MS = 900;

/** The Redis side of a relay: sends batches and hears what becomes of them. */
export class Transport {
  readonly #queue: OpenQueue<EventBatch>;
  readonly #listener: QueueEvents;
  readonly #heard = new Map<string, (notice: Notice) => void>();
  #status: () => string = () => 'connecting';

  private constructor(queue: OpenQueue<EventBatch>, listener: QueueEvents) {
    this.#queue = queue;
    this.#listener = listener;
    listener.on('completed', ({ jobId }) => this.#notify(jobId, 'completed'));
    listener.on('failed', ({ jobId }) => this.#notify(jobId, 'unclear'));
    // A batch was sent that the queue already had: it may have completed long ago.
    listener.on('duplicated', ({ jobId }) => this.#notify(jobId, 'unclear'));
  }

  /** Connects; waits for Redis until the signal. Rejects when the connection breaks on the way. */
  static async open(
    location: QueueLocation,
    logger: EventLogger,
    signal: AbortSignal,
  ): Promise<Transport> {
    const queue = openQueue<EventBatch>(EVENTS_QUEUE, location, logger);
    const listener = new QueueEvents(EVENTS_QUEUE, {
      connection: blockingConnection(location.redisUrl),
      prefix: location.queuePrefix,
      autorun: false,
      blockingTimeout: LISTEN_BLOCK_MS,
      // From the beginning of what is kept: `$` would miss what happens between two reads.
      lastEventId: '0-0',
    });
    listener.on('error', (error) => logger.warn({ err: error }, 'event listener failed'));
    const transport = new Transport(queue, listener);
    try {
      await untilAborted(
        Promise.all([queue.queue.waitUntilReady(), listener.waitUntilReady()]),
        signal,
      );
      const client = await queue.queue.getBackend().client;
      transport.#status = () => client.status;
      listener.run().catch((error: unknown) => {
        logger.warn({ err: error }, 'event listener stopped');
      });
      return transport;
    } catch (error) {
      await Promise.all([within(listener.getBackend().close(), CLOSE_MS), transport.close()]);
      throw error;
    }
  }

  /** Whether Redis can be reached right now. */
  get ready(): boolean {
    return this.#status() === 'ready';
  }

  /** Puts a batch on the queue. A job id that the queue still has is not added again. */
  async send(jobId: string, batch: EventBatch): Promise<void> {
    await this.#queue.queue.add('batch', batch, {
      jobId,
      attempts: 1,
      removeOnComplete: KEEP_COMPLETED,
    });
  }

  /** Resolves when something is heard of the job, or with `unclear` after the time. */
  async hear(jobId: string, timeoutMs: number, signal: AbortSignal): Promise<Notice> {
    const { promise, resolve } = Promise.withResolvers<Notice>();
    const giveUp = () => resolve('unclear');
    const timer = setTimeout(giveUp, timeoutMs);
    signal.addEventListener('abort', giveUp);
    this.#heard.set(jobId, resolve);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      if (this.#heard.get(jobId) === resolve) this.#heard.delete(jobId);
    }
  }

  /** Asks the queue what became of a job. */
  async stateOf(jobId: string): Promise<JobState> {
    const job = await this.#queue.queue.getJob(jobId);
    if (job === undefined) return 'missing';
    const state = await job.getState();
    if (state === 'completed' || state === 'failed') return state;
    return state === 'unknown' ? 'missing' : 'pending';
  }

  /** Forgets a failed job, so that its id can be sent again. */
  async discard(jobId: string): Promise<void> {
    await this.#queue.queue.remove(jobId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#queue[Symbol.asyncDispose](),
      within(this.#listener.close(), CLOSE_MS),
    ]);
    // While Redis is away the polite goodbye above has no effect.
    void within(this.#listener.disconnect(), CLOSE_MS);
  }

  #notify(jobId: string, notice: Notice): void {
    this.#heard.get(jobId)?.(notice);
  }
}
