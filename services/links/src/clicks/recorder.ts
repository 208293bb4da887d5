import { backoffMs, sleep } from '@atrium/events/timing';
import type { Logger } from '@atrium/service-kit/logger';
import type { Click } from './click.ts';
import type { ClickJournal } from './journal.ts';
import type { ClickStore } from './store.ts';

export interface ClickRecorderOptions {
  journal: ClickJournal;
  store: ClickStore;
  logger: Logger;
  /** Called after a commit that stored events. */
  onEventsStored: () => void;
}

interface Waiting {
  click: Click;
  /** Settles within the time limit of a Redis command. */
  entryId: Promise<string | null>;
}

const BATCH_MAX = 500;
/** 50,000 clicks. Beyond them the oldest are left to the journal. */
const WAITING_BATCHES_MAX = 100;

/**
 * Stores clicks in batches: a click is stored at once when nothing is being stored, and clicks that
 * arrive meanwhile form the next batch. Until then a click is both in memory and in the journal,
 * from where another process stores it if this one does not: see `storeOrphanedClicks`.
 */
export class ClickRecorder implements AsyncDisposable {
  readonly #options: ClickRecorderOptions;
  readonly #stopping = new AbortController();
  /** Only the last one may still grow. */
  readonly #batches: Waiting[][] = [];
  readonly #removals = new Set<Promise<void>>();
  #storing: Promise<void> | undefined;

  constructor(options: ClickRecorderOptions) {
    this.#options = options;
  }

  /** Returns at once; neither Redis nor Postgres is waited for. */
  record(click: Click): void {
    const waiting = { click, entryId: this.#options.journal.append(click) };
    const last = this.#batches.at(-1);
    if (last !== undefined && last.length < BATCH_MAX) last.push(waiting);
    else this.#batches.push([waiting]);
    if (this.#batches.length > WAITING_BATCHES_MAX)
      void this.#leaveToJournal(this.#batches.shift());
    this.#storing ??= this.#storeWaiting();
  }

  /** Stores what waits, unless Postgres is away: then it is left to the journal. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#storing;
    await Promise.all([
      ...this.#removals,
      ...this.#batches.map((one) => this.#leaveToJournal(one)),
    ]);
  }

  async #storeWaiting(): Promise<void> {
    const { store, logger, onEventsStored } = this.#options;
    let failures = 0;
    for (let batch = this.#batches.shift(); batch !== undefined; batch = this.#batches.shift()) {
      try {
        const events = await store.storeAll(batch.map(({ click }) => click));
        if (events > 0) onEventsStored();
      } catch (error) {
        this.#batches.unshift(batch);
        if (this.#stopping.signal.aborted) break;
        // One line per outage, not one per attempt.
        if (failures === 0) logger.warn({ err: error }, 'clicks cannot be stored, will try again');
        await sleep(backoffMs(failures++), this.#stopping.signal);
        continue;
      }
      if (failures > 0) logger.info('clicks are stored again');
      failures = 0;
      // The next batch does not wait for Redis.
      const removal = this.#removeFromJournal(batch).finally(() => this.#removals.delete(removal));
      this.#removals.add(removal);
    }
    this.#storing = undefined;
  }

  async #removeFromJournal(batch: readonly Waiting[]): Promise<void> {
    const entryIds = await Promise.all(batch.map(({ entryId }) => entryId));
    try {
      await this.#options.journal.remove(entryIds.filter((entryId) => entryId !== null));
    } catch (error) {
      // They are stored once more as orphans, which changes nothing.
      this.#options.logger.debug({ err: error }, 'stored clicks stay in the journal');
    }
  }

  async #leaveToJournal(batch: readonly Waiting[] = []): Promise<void> {
    const entryIds = await Promise.all(batch.map(({ entryId }) => entryId));
    const lost = entryIds.filter((entryId) => entryId === null).length;
    if (lost > 0) this.#options.logger.error({ clicks: lost }, 'clicks were lost');
  }
}
