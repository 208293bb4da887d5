import { MESSAGE_BATCH_MAX } from '@atrium/contracts/account-messages';
import { EVENT_BATCH_MAX, EVENTS_QUEUE, type OutboxQueue } from '@atrium/contracts/queues';
import type { Pool } from 'pg';
import { BatchQueue, type FinishedJob, jobIdOf } from './batch-queue.ts';
import { ATTEMPTS_MAX, type LeasedBatch, OutboxLeases } from './outbox-leases.ts';
import type { EventLogger, QueueLocation } from './queue.ts';
import { recordOutboxWait, recordRelayed } from './queue-spans.ts';
import type { Tracing } from './tracing.ts';
import { backoffMs, sleep, Wakeup, within } from './timing.ts';

export interface RelayOptions extends QueueLocation {
  /** Pool of the database that holds the outbox. */
  pool: Pool;
  logger: EventLogger;
  tracing?: Tracing | undefined;
  /** The ids of its jobs begin with it: Redis may keep the jobs of services apart. `batch` by default. */
  producer?: string;
  /** The queues that this service writes to; `events` by default. Rows of others stay. */
  queues?: readonly OutboxQueue[];
  /** Only tests change what follows. Another relay takes over an expired lease; 30 s by default. */
  leaseSeconds?: number;
  /** How often to look for rows without being woken; 1 s by default. */
  intervalMs?: number;
  /** Rows per job; by default as many as one may have, 100 events or 4 messages. */
  batchSize?: number;
  /** Batches of one queue that are in flight at the same time; 4 by default. */
  maxInFlight?: number;
}

export interface Relay extends AsyncDisposable {
  /**
   * Something was committed for this queue (`events`): look now. Calls are coalesced.
   *
   * @param delayMs until the next look, for what is sent no sooner
   */
  wake(queue?: OutboxQueue, delayMs?: number): void;
}

const DISPOSE_MS = 1_900;
const RELEASE_MS = 900;
/** A batch without news is looked up this often, and its lease extended. */
const LOOK_UP_MS = 2_000;
/** Batches that are not full: rows that are written meanwhile form the next one. */
const SMALL_BATCHES_MAX = 2;
/** Where every batch fails, the next is tried after 0.1 s and up to 0.8 s: a good one may follow. */
const BACKOFF_STEPS_MAX = 4;
/** Batches whose consumer is slow or has died, in addition to those that occupy a slot. */
const SLOW_BATCHES_MAX = 64;

/**
 * Moves rows from the outbox to their queues. A row is deleted only when the job that carries it has
 * completed, so it may arrive twice and is never lost. The relay survives outages of Postgres and
 * Redis and retries at most 5 s apart. Any number of relays may share an outbox. Disposal releases
 * unfinished rows and takes at most 2 s.
 *
 * A batch that fails is retried later and frees its slot; after two failures its rows are sent one by
 * one. A message that its consumer reports as failed is tried 20 times over most of a day and then
 * set aside: its row stays, with `due_at = 'infinity'` and the reason in `last_error`, is counted
 * by the metric `outbox_set_aside`, and is sent again once an operator sets `due_at` to NULL.
 */
export function startRelay(options: RelayOptions): Relay {
  const { queues = [EVENTS_QUEUE] } = options;
  const relays = new Map(queues.map((queue) => [queue, new QueueRelay(queue, options)]));
  const finished = Promise.all(Array.from(relays.values(), (relay) => relay.run()));
  return {
    wake: (queue = EVENTS_QUEUE, delayMs) => relays.get(queue)?.wake(delayMs),
    [Symbol.asyncDispose]: async () => {
      for (const relay of relays.values()) relay.stop();
      await within(finished, DISPOSE_MS);
    },
  };
}

/** Relays the rows of one queue. Queues share nothing, so that none can hold up another. */
class QueueRelay {
  readonly #queue: OutboxQueue;
  readonly #options: RelayOptions;
  readonly #batchSize: number;
  readonly #maxInFlight: number;
  readonly #leaseMs: number;
  readonly #leases: OutboxLeases;
  readonly #stopping = new AbortController();
  readonly #wakeup = new Wakeup();
  readonly #inFlight = new Set<Promise<void>>();
  /** When the next row is due that the relay was told of. */
  #dueMs = Number.POSITIVE_INFINITY;
  /** Batches in flight that have freed their slot. */
  #slow = 0;
  /** Batches that failed since one last succeeded. */
  #failures = 0;

  constructor(queue: OutboxQueue, options: RelayOptions) {
    const { leaseSeconds = 30, maxInFlight = 4, batchSize = Number.POSITIVE_INFINITY } = options;
    const largest = queue === EVENTS_QUEUE ? EVENT_BATCH_MAX : MESSAGE_BATCH_MAX;
    this.#queue = queue;
    this.#options = options;
    this.#batchSize = Math.min(batchSize, largest);
    this.#maxInFlight = maxInFlight;
    this.#leaseMs = leaseSeconds * 1000;
    this.#leases = new OutboxLeases(options.pool, queue, leaseSeconds);
  }

  wake(delayMs = 0): void {
    if (delayMs > 0) this.#dueMs = Math.min(this.#dueMs, performance.now() + delayMs);
    this.#wakeup.notify();
  }

  stop(): void {
    this.#stopping.abort();
    this.#wakeup.notify();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const { logger } = this.#options;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await using queue = await BatchQueue.open(this.#queue, this.#options, logger, signal);
        await this.#relayTo(queue);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ err: error, queue: this.#queue }, 'relay cannot reach redis, will try again');
        await sleep(backoffMs(failures), signal);
      }
    }
  }

  async #relayTo(queue: BatchQueue): Promise<void> {
    const { signal } = this.#stopping;
    const { intervalMs = 1_000, logger } = this.#options;
    let isFull = false;
    let readFailures = 0;
    while (!signal.aborted) {
      const slots = isFull ? this.#maxInFlight : Math.min(this.#maxInFlight, SMALL_BATCHES_MAX);
      // While Redis is away a lease would be of no use.
      if (this.#inFlight.size - this.#slow < slots && queue.isReady) {
        if (this.#failures > 0) {
          await sleep(backoffMs(Math.min(this.#failures, BACKOFF_STEPS_MAX) - 1), signal);
        }
        try {
          const leased = await this.#leases.lease(this.#batchSize);
          for (const batch of leased.batches) this.#start(batch, queue);
          readFailures = 0;
          isFull = leased.isFull;
          if (isFull) continue;
        } catch (error) {
          logger.warn({ err: error, queue: this.#queue }, 'outbox not readable, will try again');
          await sleep(backoffMs(readFailures++), signal);
          continue;
        }
      }
      await this.#wakeup.wait(Math.min(intervalMs, this.#untilDueMs()));
    }
    await within(Promise.all(this.#inFlight), RELEASE_MS);
  }

  #untilDueMs(): number {
    const ms = this.#dueMs - performance.now();
    if (ms > 0) return ms;
    this.#dueMs = Number.POSITIVE_INFINITY;
    return 0;
  }

  #start(batch: LeasedBatch, queue: BatchQueue): void {
    recordOutboxWait(this.#options.tracing, batch.entries, this.#queue);
    let isSlow = false;
    const freeSlot = () => {
      if (isSlow || this.#slow >= SLOW_BATCHES_MAX) return;
      isSlow = true;
      this.#slow++;
      this.#wakeup.notify();
    };
    const relayed = this.#relayBatch(batch, queue, freeSlot).finally(() => {
      this.#inFlight.delete(relayed);
      if (isSlow) this.#slow--;
      this.#wakeup.notify();
    });
    this.#inFlight.add(relayed);
  }

  /** Sends one batch and waits until its rows are deleted, postponed or released. Never rejects. */
  async #relayBatch(leased: LeasedBatch, queue: BatchQueue, freeSlot: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const { logger, tracing } = this.#options;
    const jobId = jobIdOf(leased.entries, this.#options.producer);
    let batch: LeasedBatch | null = leased;
    const startMs = Date.now();
    let leasedMs = performance.now();
    let isSent = false;
    for (let failures = 0; batch !== null && !signal.aborted;) {
      try {
        const lookUpMs = Math.min(this.#leaseMs / 3, LOOK_UP_MS);
        const unsent = isSent ? null : batch.entries;
        const state = await queue.awaitOutcome(jobId, unsent, lookUpMs, signal);
        if (state.kind === 'completed' || state.kind === 'failed') {
          await this.#settle(state, batch, jobId, queue);
          recordRelayed(tracing, batch.entries, { queue: this.#queue, startMs, job: state });
          return;
        }
        isSent = state.kind === 'pending';
        if (state.kind === 'pending' && state.isActive) freeSlot();
        if (performance.now() - leasedMs >= this.#leaseMs / 3) {
          leasedMs = performance.now();
          batch = await this.#leases.extend(batch);
        }
        if (isSent) continue;
        failures++;
      } catch (error) {
        failures++;
        logger.warn({ err: error, jobId, queue: this.#queue }, 'batch not sent, will try again');
      }
      await sleep(backoffMs(failures - 1), signal);
    }
    // When this fails, the lease expires a little later.
    if (batch !== null) await within(this.#leases.release(batch), RELEASE_MS);
  }

  async #settle(
    job: FinishedJob,
    batch: LeasedBatch,
    jobId: string,
    queue: BatchQueue,
  ): Promise<void> {
    const { logger } = this.#options;
    const fields = { jobId, queue: this.#queue };
    if (job.kind === 'failed') {
      this.#failures++;
      logger.warn({ ...fields, reason: job.reason }, 'batch failed, will be sent again');
      await this.#leases.postpone(batch, job.reason);
      await queue.discard(jobId);
      return;
    }
    this.#failures = 0;
    const reasons = new Map(job.failed.map(({ id, reason }) => [id, reason]));
    const rows = batch.entries.map(({ id }, index) => ({ id, seq: batch.seqs[index] ?? '' }));
    await this.#leases.remove(rows.filter(({ id }) => !reasons.has(id)).map(({ seq }) => seq));
    for (const { id, seq } of rows) {
      const reason = reasons.get(id);
      if (reason === undefined) continue;
      const attempts = await this.#leases.retryLater(seq, reason);
      const message = { id, queue: this.#queue, reason, attempts };
      if (attempts >= ATTEMPTS_MAX) logger.error(message, 'message failed too often, set aside');
      else logger.warn(message, 'message failed, will be sent again');
    }
  }
}
