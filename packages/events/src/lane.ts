import { createHash } from 'node:crypto';
import type { OutboxQueue } from '@atrium/contracts/queues';
import type { Pool } from 'pg';
import { ATTEMPTS_MAX, type Claim, Claims } from './claims.ts';
import type { EventLogger, QueueLocation } from './queue.ts';
import { type JobState, type Notice, Transport } from './transport.ts';
import { backoffMs, pause, Wakeup, within } from './waiting.ts';

export interface LaneOptions extends QueueLocation {
  queue: OutboxQueue;
  pool: Pool;
  logger: EventLogger;
  claimSeconds: number;
  intervalMs: number;
  batchSize: number;
  maxInFlight: number;
}

const RELEASE_MS = 900;
/** A batch without news is looked up this often, and its claim extended. */
const LOOK_UP_MS = 2_000;
/** Where every batch fails, the next is tried after 0.1 s and up to 0.8 s: a good one may follow. */
const MAX_BACKOFF_STEPS = 4;
/** Batches that a consumer is slow with, or died with, beside those in flight. */
const MAX_SLOW = 64;

type Outcome = Extract<JobState, { kind: 'completed' | 'failed' }>;

/** Carries the rows of one queue. Lanes share nothing, so that none can hold up another. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #claims: Claims;
  readonly #stopping = new AbortController();
  readonly #wakeup = new Wakeup();
  /** Every batch on its way, and whether it has given its place up. */
  readonly #inFlight = new Map<Promise<void>, { isSlow: boolean }>();
  #slow = 0;
  /** Batches that failed since one last succeeded. */
  #failures = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#claims = new Claims(options.pool, options.queue, options.claimSeconds);
  }

  wake(): void {
    this.#wakeup.notify();
  }

  stop(): void {
    this.#stopping.abort();
    this.#wakeup.notify();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const { queue, logger } = this.#options;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await using transport = await Transport.open(queue, this.#options, logger, signal);
        await this.#relayOver(transport);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ err: error, queue }, 'relay cannot reach redis, will try again');
        await pause(backoffMs(failures), signal);
      }
    }
  }

  async #relayOver(transport: Transport): Promise<void> {
    const { signal } = this.#stopping;
    const { intervalMs, maxInFlight, batchSize, logger, queue } = this.#options;
    let readFailures = 0;
    while (!signal.aborted) {
      // Rows are left alone while Redis is away: nothing could be done with them.
      if (this.#inFlight.size - this.#slow < maxInFlight && transport.ready) {
        if (this.#failures > 0) {
          await pause(backoffMs(Math.min(this.#failures, MAX_BACKOFF_STEPS) - 1), signal);
        }
        try {
          const taken = await this.#claims.take(batchSize);
          for (const claim of taken.claims) this.#launch(claim, transport);
          readFailures = 0;
          if (taken.isFull) continue;
        } catch (error) {
          logger.warn({ err: error, queue }, 'outbox cannot be read, will try again');
          await pause(backoffMs(readFailures++), signal);
          continue;
        }
      }
      await this.#wakeup.wait(intervalMs);
    }
    await within(Promise.all(this.#inFlight.keys()), RELEASE_MS);
  }

  #launch(claim: Claim, transport: Transport): void {
    const place = { isSlow: false };
    const delivery = this.#deliver(claim, transport, () => {
      if (place.isSlow || this.#slow >= MAX_SLOW) return;
      place.isSlow = true;
      this.#slow++;
      this.#wakeup.notify();
    }).finally(() => {
      this.#inFlight.delete(delivery);
      if (place.isSlow) this.#slow--;
      this.#wakeup.notify();
    });
    this.#inFlight.set(delivery, place);
  }

  /** Sees one batch through, until its rows are deleted, postponed or given back. Never rejects. */
  async #deliver(taken: Claim, transport: Transport, onSlow: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const { logger, queue } = this.#options;
    const jobId = jobIdOf(taken);
    const extendAfterMs = (this.#options.claimSeconds * 1000) / 3;
    let claim: Claim | null = taken;
    let claimedMs = performance.now();
    let isSent = false;
    for (let failures = 0; claim !== null && !signal.aborted;) {
      try {
        const state = await this.#learn(jobId, isSent ? null : claim, transport);
        if (state.kind === 'completed' || state.kind === 'failed') {
          await this.#settle(state, claim, jobId, transport);
          return;
        }
        isSent = state.kind === 'pending';
        if (state.kind === 'pending' && state.isActive) onSlow();
        if (performance.now() - claimedMs >= extendAfterMs) {
          claimedMs = performance.now();
          claim = await this.#claims.extend(claim);
        }
        if (isSent) continue;
        failures++;
      } catch (error) {
        failures++;
        logger.warn({ err: error, jobId, queue }, 'not relayed yet, will try again');
      }
      await pause(backoffMs(failures - 1), signal);
    }
    // When this fails, the claim ends by itself a little later.
    if (claim !== null) await within(this.#claims.release(claim), RELEASE_MS);
  }

  /** Sends the batch, if one is given, and learns what became of the job. */
  async #learn(jobId: string, batch: Claim | null, transport: Transport): Promise<JobState> {
    const { signal } = this.#stopping;
    const pollMs = Math.min((this.#options.claimSeconds * 1000) / 3, LOOK_UP_MS);
    const heard = transport.hear(jobId, pollMs, signal);
    if (batch !== null) await transport.send(jobId, batch.entries);
    const notice: Notice = await heard;
    if (notice.kind === 'completed') return notice;
    if (signal.aborted) return { kind: 'pending', isActive: false };
    return transport.stateOf(jobId);
  }

  async #settle(state: Outcome, claim: Claim, jobId: string, transport: Transport): Promise<void> {
    const { logger, queue } = this.#options;
    if (state.kind === 'failed') {
      this.#failures++;
      logger.warn({ jobId, queue, reason: state.reason }, 'a batch failed and will be sent again');
      await this.#claims.postpone(claim, state.reason);
      await transport.discard(jobId);
      return;
    }
    this.#failures = 0;
    const reasons = new Map(state.failed.map(({ id, reason }) => [id, reason]));
    const arrived: string[] = [];
    for (const [index, { id }] of claim.entries.entries()) {
      const seq = claim.seqs[index];
      if (seq === undefined) continue;
      const reason = reasons.get(id);
      if (reason === undefined) arrived.push(seq);
      else await this.#retryLater(seq, id, reason);
    }
    await this.#claims.remove(arrived);
  }

  async #retryLater(seq: string, id: string, reason: string): Promise<void> {
    const attempts = await this.#claims.retryLater(seq, reason);
    const fields = { id, queue: this.#options.queue, reason, attempts };
    if (attempts >= ATTEMPTS_MAX) {
      this.#options.logger.error(fields, 'a message was set aside: it failed too often');
    } else {
      this.#options.logger.warn(fields, 'a message failed and will be sent again');
    }
  }
}

/** The same rows always make the same job, so that sending them again does not double them. */
function jobIdOf(claim: Claim): string {
  const hash = createHash('sha256');
  for (const entry of claim.entries) hash.update(entry.id);
  return `batch-${hash.digest('hex').slice(0, 32)}`;
}
