import { createHash } from 'node:crypto';
import { EVENT_BATCH_MAX } from '@atrium/contracts/queues';
import type { Pool } from 'pg';
import { type Claim, Claims } from './claims.ts';
import type { EventLogger } from './queue.ts';
import { Transport } from './transport.ts';
import { backoffMs, pause, Wakeup, within } from './waiting.ts';

export interface RelayOptions {
  /** Pool of the database that holds the outbox. */
  pool: Pool;
  redisUrl: string;
  queuePrefix: string;
  logger: EventLogger;
  /** How long rows are ours without news; another relay takes them afterwards. */
  claimSeconds?: number;
  /** How often to look when nobody wakes the relay. */
  intervalMs?: number;
  /** Events per job, at most 100. */
  batchSize?: number;
  /** Batches on their way at one time. */
  maxInFlight?: number;
}

export interface Relay extends AsyncDisposable {
  /** Something was committed to the outbox: look now. Many calls make one look. */
  wake(): void;
}

/**
 * Starts carrying events from the outbox to the `events` queue. A row is deleted only when the job
 * that carries it has completed, so an event may arrive twice and is never lost. Nothing that
 * happens to Postgres or Redis ends it; it keeps trying, at most 5 s apart. Any number of relays
 * may share an outbox. Disposal gives unfinished rows back and takes at most 2 s.
 */
export function startRelay(options: RelayOptions): Relay {
  const relay = new OutboxRelay(options);
  const finished = relay.run();
  return {
    wake: () => relay.wake(),
    [Symbol.asyncDispose]: async () => {
      relay.stop();
      await within(finished, DISPOSE_MS);
    },
  };
}

const DISPOSE_MS = 1_900;
const RELEASE_MS = 900;
/** A batch without news is looked up this often, and its claim extended. */
const LOOK_UP_MS = 5_000;

class OutboxRelay {
  readonly #options: RelayOptions;
  readonly #claims: Claims;
  readonly #claimMs: number;
  readonly #stopping = new AbortController();
  readonly #wakeup = new Wakeup();
  readonly #inFlight = new Set<Promise<void>>();

  constructor(options: RelayOptions) {
    const claimSeconds = options.claimSeconds ?? 30;
    this.#options = options;
    this.#claimMs = claimSeconds * 1000;
    this.#claims = new Claims(options.pool, claimSeconds);
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
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await using transport = await Transport.open(this.#options, this.#options.logger, signal);
        await this.#relayOver(transport);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.logger.warn({ err: error }, 'relay cannot reach redis, will try again');
        await pause(backoffMs(failures), signal);
      }
    }
  }

  async #relayOver(transport: Transport): Promise<void> {
    const { signal } = this.#stopping;
    const { intervalMs = 1_000, maxInFlight = 4 } = this.#options;
    const batchSize = Math.min(this.#options.batchSize ?? EVENT_BATCH_MAX, EVENT_BATCH_MAX);
    let failures = 0;
    while (!signal.aborted) {
      // Rows are left alone while Redis is away: nothing could be done with them.
      if (this.#inFlight.size < maxInFlight && transport.ready) {
        try {
          const claim = await this.#claims.take(batchSize);
          failures = 0;
          if (claim !== null) this.#launch(claim, transport);
          if (claim?.seqs.length === batchSize) continue;
        } catch (error) {
          this.#options.logger.warn({ err: error }, 'outbox cannot be read, will try again');
          await pause(backoffMs(failures++), signal);
          continue;
        }
      }
      await this.#wakeup.wait(intervalMs);
    }
    await within(Promise.all(this.#inFlight), RELEASE_MS);
  }

  #launch(claim: Claim, transport: Transport): void {
    const delivery = this.#deliver(claim, transport).finally(() => {
      this.#inFlight.delete(delivery);
      this.#wakeup.notify();
    });
    this.#inFlight.add(delivery);
  }

  /** Sees one batch through: sent, heard of, its rows deleted. Never rejects. */
  async #deliver(taken: Claim, transport: Transport): Promise<void> {
    const { signal } = this.#stopping;
    const jobId = jobIdOf(taken);
    let claim = taken;
    let next: Step = 'send';
    for (let failures = 0; !signal.aborted;) {
      try {
        next = await this.#step(next, jobId, claim, transport);
        if (next === 'done') return;
        if (next === 'send') failures++;
        const extended = await this.#claims.extend(claim);
        if (extended === null) return;
        claim = extended;
      } catch (error) {
        failures++;
        this.#options.logger.warn({ err: error, jobId }, 'events not relayed yet, will try again');
      }
      if (next !== 'hear') await pause(backoffMs(failures - 1), signal);
    }
    await this.#giveBack(claim);
  }

  async #step(step: Step, jobId: string, claim: Claim, transport: Transport): Promise<Step> {
    const { signal } = this.#stopping;
    const heard = transport.hear(jobId, Math.min(this.#claimMs / 2, LOOK_UP_MS), signal);
    if (step === 'send') await transport.send(jobId, { events: claim.events });
    const notice = await heard;
    if (notice === 'unclear' && signal.aborted) return 'hear';
    const state = notice === 'completed' ? notice : await transport.stateOf(jobId);
    switch (state) {
      case 'pending':
        return 'hear';
      case 'failed':
        this.#options.logger.warn({ jobId }, 'intake failed, sending the events again');
        await transport.discard(jobId);
        return 'send';
      case 'missing':
        return 'send';
      case 'completed':
        await this.#claims.remove(claim);
        return 'done';
    }
  }

  async #giveBack(claim: Claim): Promise<void> {
    // When this fails, the claim ends by itself a little later.
    await within(this.#claims.release(claim), RELEASE_MS);
  }
}

type Step = 'send' | 'hear' | 'done';

/** The same rows always make the same job, so that sending them again does not double them. */
function jobIdOf(claim: Claim): string {
  const hash = createHash('sha256');
  for (const event of claim.events) hash.update(event.id);
  return `batch-${hash.digest('hex').slice(0, 32)}`;
}
