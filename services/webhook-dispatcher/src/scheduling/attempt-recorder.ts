import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Attempt } from '../sending/deliver.ts';
import type { RecordAttempts } from './attempt-store.ts';

const BATCH_MAX = 200;
/** Concurrent statements: while these run, finished attempts form the next batch. */
const STATEMENTS_MAX = 2;
const RETRY_MS = 500;

/** `late`: another worker had recorded it first. `dropped`: it cannot be stored; it is sent again. */
export type PersistResult = 'stored' | 'late' | 'dropped';

export interface AttemptRecorderOptions {
  recordAttempts: RecordAttempts;
  logger: Logger;
  /** Called once for each attempt. */
  onPersisted: (attempt: Attempt, result: PersistResult) => void;
  /** Aborts when attempts that cannot be stored must be dropped, because the process ends. */
  giveUp: AbortSignal;
}

/** Stores finished attempts in batches, and keeps them while Postgres is unavailable. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  /** Apart, since a statement stores one kind. */
  readonly #delivered: Attempt[] = [];
  readonly #failed: Attempt[] = [];
  #statements = 0;
  /** Attempts in those lists or in statements. */
  #unstored = 0;
  #isBlocked = false;
  #isScheduled = false;

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  /**
   * Attempts have waited for Postgres: until all are stored, their deliveries must not be leased again, although
   * their leases may have expired.
   */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  add(attempt: Attempt): void {
    this.#unstored += 1;
    (attempt.outcome === 'delivered' ? this.#delivered : this.#failed).push(attempt);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // At the end of this turn of the event loop: answers that arrive together are stored together.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startStatements();
    });
  }

  #startStatements(): void {
    while (this.#statements < STATEMENTS_MAX) {
      const pending = [this.#delivered, this.#failed].toSorted(byOldestAttempt)[0] ?? [];
      if (pending.length === 0) return;
      this.#statements += 1;
      void this.#store(pending.splice(0, BATCH_MAX)).finally(() => {
        this.#statements -= 1;
        this.#startStatements();
      });
    }
  }

  async #store(batch: Attempt[]): Promise<void> {
    const { recordAttempts, logger, giveUp } = this.#options;
    for (;;) {
      try {
        const stored = await recordAttempts(batch);
        for (const attempt of batch) {
          this.#settle(attempt, stored.has(attempt.deliveryId) ? 'stored' : 'late');
        }
        return;
      } catch (error) {
        const isUnavailable = isDatabaseUnavailable(error);
        if (!isUnavailable && batch.length > 1) break;
        const isDropped = !isUnavailable || giveUp.aborted;
        const fields = { err: error, attempts: batch.length, isDropped };
        // One line for an outage, not one for each attempt to store them.
        if (isDropped || !this.#isBlocked)
          logger.error(fields, 'delivery attempts could not be stored');
        if (isDropped) {
          for (const attempt of batch) this.#settle(attempt, 'dropped');
          return;
        }
        this.#isBlocked = true;
        await sleep(RETRY_MS);
      }
    }
    // One attempt that cannot be stored must not take the others with it.
    for (const attempt of batch) await this.#store([attempt]);
  }

  #settle(attempt: Attempt, result: PersistResult): void {
    this.#unstored -= 1;
    if (this.#unstored === 0) this.#isBlocked = false;
    this.#options.onPersisted(attempt, result);
  }
}

/** The list with the oldest first attempt comes first, an empty one last. */
function byOldestAttempt([a]: readonly Attempt[], [b]: readonly Attempt[]): number {
  return (a?.startedMs ?? Number.MAX_VALUE) - (b?.startedMs ?? Number.MAX_VALUE);
}
