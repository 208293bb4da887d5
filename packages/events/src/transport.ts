import { isMessageResult, type MessageResult } from '@atrium/contracts/account-messages';
import { EVENTS_QUEUE, type OutboxQueue } from '@atrium/contracts/queues';
import { QueueEvents } from 'bullmq';
import type { Entry } from './claims.ts';
import {
  blockingConnection,
  type EventLogger,
  openQueue,
  type OpenQueue,
  type QueueLocation,
} from './queue.ts';
import { untilAborted, within } from './waiting.ts';

type Failures = MessageResult['failed'];

/** What the queue knows of a batch. */
export type JobState =
  | { kind: 'completed'; failed: Failures }
  | { kind: 'failed'; reason: string }
  /** Active: a consumer has it, or had it when it died. */
  | { kind: 'pending'; isActive: boolean }
  | { kind: 'missing' };
/** What was heard of a batch: `unclear` asks for a look at the queue. */
export type Notice = { kind: 'completed'; failed: Failures } | { kind: 'unclear' };

/** A batch on its way: events or messages, by the queue. */
type Payload = { events: Entry[] } | { messages: Entry[] };

/** Completed jobs are kept a while, so that a relay that missed the news finds them done. */
const KEEP_COMPLETED = { age: 3600, count: 100 };
/** A failed job is discarded by the relay that sent it, unless that has died. */
const KEEP_FAILED = { age: 3600, count: 1000 };
/** Not messages: they may be large and personal, and handling one again changes nothing. */
const KEEP_NO_COMPLETED = true;
/** Short, because closing a listener takes up to this long once Redis is away. */
const LISTEN_BLOCK_MS = 1_000;
const CLOSE_MS = 900;

/** The Redis side of a relay: sends batches and hears what becomes of them. */
export class Transport {
  readonly #name: OutboxQueue;
  readonly #queue: OpenQueue<Payload>;
  readonly #listener: QueueEvents;
  readonly #heard = new Map<string, (notice: Notice) => void>();
  #status: () => string = () => 'connecting';

  private constructor(name: OutboxQueue, queue: OpenQueue<Payload>, listener: QueueEvents) {
    this.#name = name;
    this.#queue = queue;
    this.#listener = listener;
    listener.on('completed', ({ jobId, returnvalue }) => {
      this.#heard.get(jobId)?.({ kind: 'completed', failed: failuresIn(returnvalue) });
    });
    const unclear = ({ jobId }: { jobId: string }) => this.#heard.get(jobId)?.({ kind: 'unclear' });
    listener.on('failed', unclear);
    // A batch was sent that the queue already had: it may have completed long ago.
    listener.on('duplicated', unclear);
  }

  /** Connects; waits for Redis until the signal. Rejects when the connection breaks on the way. */
  static async open(
    name: OutboxQueue,
    location: QueueLocation,
    logger: EventLogger,
    signal: AbortSignal,
  ): Promise<Transport> {
    const queue = openQueue<Payload>(name, location, logger);
    const listener = new QueueEvents(name, {
      connection: blockingConnection(location.redisUrl),
      prefix: location.queuePrefix,
      autorun: false,
      blockingTimeout: LISTEN_BLOCK_MS,
      // From the beginning of what is kept: `$` would miss what happens between two reads.
      lastEventId: '0-0',
    });
    listener.on('error', (error) => logger.warn({ err: error }, 'event listener failed'));
    const transport = new Transport(name, queue, listener);
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
  async send(jobId: string, entries: Entry[]): Promise<void> {
    const isEvents = this.#name === EVENTS_QUEUE;
    await this.#queue.queue.add('batch', isEvents ? { events: entries } : { messages: entries }, {
      jobId,
      attempts: 1,
      removeOnComplete: isEvents ? KEEP_COMPLETED : KEEP_NO_COMPLETED,
      removeOnFail: KEEP_FAILED,
    });
  }

  /** Resolves when something is heard of the job, or with `unclear` after the time. */
  async hear(jobId: string, timeoutMs: number, signal: AbortSignal): Promise<Notice> {
    const { promise, resolve } = Promise.withResolvers<Notice>();
    const giveUp = () => resolve({ kind: 'unclear' });
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
}

/** Only consumers of messages answer with anything. */
function failuresIn(result: unknown): Failures {
  return isMessageResult(result) ? result.failed : [];
}
