import { createHash } from 'node:crypto';
import { isMessageResult, type MessageResult } from '@atrium/contracts/account-messages';
import { EVENTS_QUEUE, type OutboxQueue } from '@atrium/contracts/queues';
import { QueueEvents } from 'bullmq';
import type { Entry } from './outbox-leases.ts';
import {
  blockingConnection,
  createErrorLog,
  type EventLogger,
  openQueue,
  type OpenQueue,
  type QueueLocation,
} from './queue.ts';
import { untilAborted, within } from './timing.ts';

type Failures = MessageResult['failed'];

/** A job that the consumer has finished; `failed` names the messages that it could not handle. */
export type FinishedJob =
  | { kind: 'completed'; failed: Failures }
  | { kind: 'failed'; reason: string };

/** A job is active while a consumer has it, also when that consumer has died since. */
export type JobState = FinishedJob | { kind: 'pending'; isActive: boolean } | { kind: 'missing' };

/** Events or messages, by the queue. */
type Payload = { events: Entry[] } | { messages: Entry[] };

/** Completed jobs are kept a while, so that a relay that missed the notification finds them. */
const KEEP_COMPLETED = { age: 3600, count: 100 };
/** The relay that sent a failed job discards it, unless it has died. */
const KEEP_FAILED = { age: 3600, count: 1000 };
/** Completed messages are not kept: they may be large and personal, and handling is idempotent. */
const KEEP_NO_COMPLETED = true;
/** Short, because closing a listener takes up to this long once Redis is away. */
const LISTEN_BLOCK_MS = 1_000;
const CLOSE_MS = 900;

/** The Redis side of a relay: sends batches to one queue and learns how their jobs end. */
export class BatchQueue implements AsyncDisposable {
  readonly #name: OutboxQueue;
  readonly #queue: OpenQueue<Payload>;
  readonly #listener: QueueEvents;
  /** By job id; called with null when only the queue can tell the state. */
  readonly #waiting = new Map<string, (state: JobState | null) => void>();
  #status: () => string = () => 'connecting';

  private constructor(name: OutboxQueue, queue: OpenQueue<Payload>, listener: QueueEvents) {
    this.#name = name;
    this.#queue = queue;
    this.#listener = listener;
    listener.on('completed', ({ jobId, returnvalue }) => {
      this.#waiting.get(jobId)?.({ kind: 'completed', failed: failuresIn(returnvalue) });
    });
    const askQueue = ({ jobId }: { jobId: string }) => this.#waiting.get(jobId)?.(null);
    listener.on('failed', askQueue);
    // The queue already had this job: it may have completed long ago.
    listener.on('duplicated', askQueue);
  }

  /** Connects; waits for Redis until the signal is aborted. Rejects when the connection breaks. */
  static async open(
    name: OutboxQueue,
    location: QueueLocation,
    logger: EventLogger,
    signal: AbortSignal,
  ): Promise<BatchQueue> {
    const queue = openQueue<Payload>(name, location, logger);
    const listener = new QueueEvents(name, {
      connection: blockingConnection(location.redisUrl),
      prefix: location.queuePrefix,
      autorun: false,
      blockingTimeout: LISTEN_BLOCK_MS,
      // `$` would miss what happens between two reads.
      lastEventId: '0-0',
    });
    listener.on('error', createErrorLog(logger, { queue: name }, 'event listener failed'));
    const opened = new BatchQueue(name, queue, listener);
    try {
      await untilAborted(
        Promise.all([queue.queue.waitUntilReady(), listener.waitUntilReady()]),
        signal,
      );
      const client = await queue.queue.getBackend().client;
      opened.#status = () => client.status;
      listener.run().catch((error: unknown) => {
        logger.warn({ err: error }, 'event listener stopped');
      });
      return opened;
    } catch (error) {
      await Promise.all([within(listener.getBackend().close(), CLOSE_MS), opened.close()]);
      throw error;
    }
  }

  /** Whether Redis can be reached right now. */
  get isReady(): boolean {
    return this.#status() === 'ready';
  }

  /**
   * Sends the batch, unless it is null, and waits until its job is finished. After `timeoutMs`, or
   * when a notification leaves it open, the queue is asked for the state.
   */
  async awaitOutcome(
    jobId: string,
    unsent: Entry[] | null,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<JobState> {
    const { promise: notified, resolve } = Promise.withResolvers<JobState | null>();
    const stopWaiting = () => resolve(null);
    const timer = setTimeout(stopWaiting, timeoutMs);
    signal.addEventListener('abort', stopWaiting);
    this.#waiting.set(jobId, resolve);
    try {
      if (unsent !== null) await this.#send(jobId, unsent);
      const state = await notified;
      if (state !== null) return state;
      return signal.aborted ? { kind: 'pending', isActive: false } : await this.#stateOf(jobId);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopWaiting);
      this.#waiting.delete(jobId);
    }
  }

  /** A job id that the queue still has is not added again. */
  async #send(jobId: string, entries: Entry[]): Promise<void> {
    const isEvents = this.#name === EVENTS_QUEUE;
    await this.#queue.queue.add('batch', isEvents ? { events: entries } : { messages: entries }, {
      jobId,
      attempts: 1,
      removeOnComplete: isEvents ? KEEP_COMPLETED : KEEP_NO_COMPLETED,
      removeOnFail: KEEP_FAILED,
    });
  }

  async #stateOf(jobId: string): Promise<JobState> {
    const job = await this.#queue.queue.getJob(jobId);
    if (job === undefined) return { kind: 'missing' };
    const state = await job.getState();
    switch (state) {
      case 'completed':
        return { kind: 'completed', failed: failuresIn(job.returnvalue) };
      case 'failed':
        return { kind: 'failed', reason: job.failedReason ?? 'The consumer failed' };
      case 'unknown':
        return { kind: 'missing' };
      default:
        return { kind: 'pending', isActive: state === 'active' };
    }
  }

  /** Removes a failed job, so that its id can be sent again. */
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
    // Closing has no effect while Redis is away.
    void within(this.#listener.disconnect(), CLOSE_MS);
  }
}

/** Only consumers of messages return anything. */
function failuresIn(result: unknown): Failures {
  return isMessageResult(result) ? result.failed : [];
}

/** The same rows make the same job id, so that a batch that is sent again is not added twice. */
export function jobIdOf(entries: readonly Entry[], producer = 'batch'): string {
  const hash = createHash('sha256');
  for (const entry of entries) hash.update(entry.id);
  return `${producer}-${hash.digest('hex').slice(0, 32)}`;
}
