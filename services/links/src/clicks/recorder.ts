import type { Logger } from '@atrium/service-kit/logger';
import type { Click } from './click.ts';
import type { ClickJournal } from './journal.ts';
import type { ClickStore } from './store.ts';

export interface ClickRecorder extends AsyncDisposable {
  /** Returns at once; neither Redis nor Postgres is waited for. */
  record(click: Click): void;
}

export interface ClickRecorderOptions {
  journal: ClickJournal;
  store: ClickStore;
  logger: Logger;
  /** Told after a commit that stored events. */
  onEventsStored: () => void;
  /** How long clicks gather before they are stored together. */
  gatherMs?: number;
  /** Clicks held in memory; beyond it the oldest are left to the journal. */
  maxWaiting?: number;
  /** A journal entry this old belongs to a process that is gone, or that could not store it. */
  orphanAgeMs?: number;
  sweepIntervalMs?: number;
}

interface Waiting {
  click: Click;
  /** Settles within the time limit of a Redis command. */
  entry: Promise<string | null>;
}

const BATCH_MAX = 500;
const RETRY_MAX_MS = 5_000;

/**
 * Gets every click into Postgres exactly once. A click is held twice until it is there: in memory,
 * from where it is stored within `gatherMs`, and in the journal, from where any replica takes up
 * what a crash left behind. So neither a crash, nor Redis losing everything, nor Postgres being
 * away loses one, and because a click has an id, storing it from both sides counts it once.
 */
export function startClickRecorder(options: ClickRecorderOptions): ClickRecorder {
  const recorder = new Recorder(options);
  return {
    record: (click) => recorder.record(click),
    [Symbol.asyncDispose]: () => recorder.stop(),
  };
}

class Recorder {
  readonly #options: ClickRecorderOptions;
  readonly #gatherMs: number;
  readonly #maxWaiting: number;
  readonly #orphanAgeMs: number;
  readonly #sweepTimer: NodeJS.Timeout;
  #waiting: Waiting[] = [];
  #flushTimer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #sweeping: Promise<void> | undefined;
  #failures = 0;
  #isStopping = false;

  constructor(options: ClickRecorderOptions) {
    this.#options = options;
    this.#gatherMs = options.gatherMs ?? 50;
    this.#maxWaiting = options.maxWaiting ?? 50_000;
    this.#orphanAgeMs = options.orphanAgeMs ?? 30_000;
    this.#sweepTimer = setInterval(() => this.#startSweep(), options.sweepIntervalMs ?? 10_000);
    this.#startSweep();
  }

  record(click: Click): void {
    this.#waiting.push({ click, entry: this.#options.journal.append(click) });
    if (this.#waiting.length > this.#maxWaiting) this.#giveUpOldest();
    this.#schedule(this.#gatherMs);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweepTimer);
    clearTimeout(this.#flushTimer);
    await this.#sweeping;
    await this.#flushing;
    this.#failures = 0;
    // Whatever Postgres does not take now is taken from the journal by the next process.
    while (this.#waiting.length > 0 && this.#failures === 0) await this.#flush();
    const entries = await Promise.all(this.#waiting.map((waiting) => waiting.entry));
    this.#reportLost(entries.filter((entryId) => entryId === null).length);
  }

  #schedule(delayMs: number): void {
    if (this.#flushTimer !== undefined || this.#flushing !== undefined || this.#isStopping) return;
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined;
      this.#flushing = this.#flush().finally(() => {
        this.#flushing = undefined;
        if (this.#waiting.length > 0) this.#schedule(this.#retryDelayMs());
      });
    }, delayMs);
  }

  #retryDelayMs(): number {
    return this.#failures === 0 ? 0 : Math.min(50 * 2 ** this.#failures, RETRY_MAX_MS);
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH_MAX);
    const { logger } = this.#options;
    try {
      await this.#store(batch.map((waiting) => waiting.click));
    } catch (error) {
      // One line per outage, not one per attempt.
      if (this.#failures === 0) {
        logger.warn({ err: error, waiting: this.#waiting.length }, 'clicks wait to be stored');
      }
      this.#failures += 1;
      return;
    }
    if (this.#failures > 0) logger.info('clicks are stored again');
    this.#failures = 0;
    const done = new Set(batch);
    this.#waiting = this.#waiting.filter((waiting) => !done.has(waiting));
    const entries = await Promise.all(batch.map((waiting) => waiting.entry));
    await this.#clear(entries.filter((entryId) => entryId !== null));
  }

  async #store(clicks: Click[]): Promise<void> {
    if (clicks.length === 0) return;
    const events = await this.#options.store.storeAll(clicks);
    if (events > 0) this.#options.onEventsStored();
  }

  /** What cannot be removed now is swept later, and stored again without effect. */
  async #clear(entryIds: string[]): Promise<void> {
    try {
      await this.#options.journal.remove(entryIds);
    } catch (error) {
      this.#options.logger.debug({ err: error }, 'stored clicks stay in the journal');
    }
  }

  #startSweep(): void {
    this.#sweeping ??= this.#sweep()
      .catch((error: unknown) => {
        this.#options.logger.debug({ err: error }, 'the journal of clicks was not swept');
      })
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  async #sweep(): Promise<void> {
    const { journal, logger } = this.#options;
    while (!this.#isStopping) {
      const entries = await journal.readOlderThan(this.#orphanAgeMs, BATCH_MAX);
      if (entries.length === 0) return;
      await this.#store(entries.flatMap(({ click }) => (click === null ? [] : [click])));
      await journal.remove(entries.map(({ entryId }) => entryId));
      logger.info({ clicks: entries.length }, 'took up orphaned clicks');
    }
  }

  #giveUpOldest(): void {
    const oldest = this.#waiting.shift();
    oldest?.entry.then(
      (entryId) => this.#reportLost(entryId === null ? 1 : 0),
      () => this.#reportLost(1),
    );
  }

  #reportLost(clicks: number): void {
    if (clicks > 0) this.#options.logger.error({ clicks }, 'clicks were lost');
  }
}
