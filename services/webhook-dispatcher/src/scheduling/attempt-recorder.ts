import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@atrium/service-kit/logger';
import { isDatabaseUnavailable } from '@atrium/service-kit/database';
import type { AttemptRecord } from '../sending/deliver.ts';
import type { DeliveryStore } from './lease-store.ts';

const BATCH_MAX = 200;
/** Statements at once: while these run, finished attempts gather into the next batch. */
const FLUSHES_MAX = 2;
const RETRY_MS = 500;

export interface RecorderOptions {
  store: Pick<DeliveryStore, 'record'>;
  logger: Logger;
  /** Called once for each attempt, when it is stored, found to have come too late, or given up. */
  settled: (record: AttemptRecord, fate: 'stored' | 'late' | 'lost') => void;
  /** Aborts when results that cannot be stored must be let go: their deliveries are sent again. */
  giveUp: AbortSignal;
}

/** Stores finished attempts in batches, and holds on to them while Postgres is away. */
export class AttemptRecorder {
  readonly #options: RecorderOptions;
  /** By how they are stored: a batch is of one kind. */
  readonly #delivered: AttemptRecord[] = [];
  readonly #failed: AttemptRecord[] = [];
  #flushes = 0;
  #blocked = 0;
  #scheduled = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Results are waiting for Postgres: what they are about must not be leased before they are in. */
  get isBlocked(): boolean {
    return this.#blocked > 0;
  }

  add(record: AttemptRecord): void {
    (record.state === 'delivered' ? this.#delivered : this.#failed).push(record);
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After this turn of the event loop: answers that arrive together are stored together.
    setImmediate(() => {
      this.#scheduled = false;
      this.#startFlushes();
    });
  }

  #startFlushes(): void {
    while (this.#flushes < FLUSHES_MAX) {
      const pending = [this.#delivered, this.#failed].toSorted(byFirstStart)[0] ?? [];
      if (pending.length === 0) return;
      this.#flushes += 1;
      void this.#flush(pending.splice(0, BATCH_MAX)).finally(() => {
        this.#flushes -= 1;
        this.#startFlushes();
      });
    }
  }

  async #flush(batch: AttemptRecord[]): Promise<void> {
    const { store, logger, settled, giveUp } = this.#options;
    let failures = 0;
    try {
      for (;;) {
        try {
          const stored = await store.record(batch);
          for (const record of batch) {
            settled(record, stored.has(record.deliveryId) ? 'stored' : 'late');
          }
          return;
        } catch (error) {
          const isAway = isDatabaseUnavailable(error);
          if (!isAway && batch.length > 1) break;
          const isLost = !isAway || giveUp.aborted;
          logger.error(
            { err: error, attempts: batch.length, isLost },
            'attempts could not be stored',
          );
          if (isLost) {
            for (const record of batch) settled(record, 'lost');
            return;
          }
          if (failures === 0) this.#blocked += 1;
          failures += 1;
          await sleep(RETRY_MS);
        }
      }
    } finally {
      if (failures > 0) this.#blocked -= 1;
    }
    // One result that cannot be stored must not take the others with it.
    for (const record of batch) await this.#flush([record]);
  }
}

/** Whose first attempt is oldest comes first, and who has none last. */
function byFirstStart([a]: readonly AttemptRecord[], [b]: readonly AttemptRecord[]): number {
  return (a?.startedMs ?? Number.MAX_VALUE) - (b?.startedMs ?? Number.MAX_VALUE);
}
