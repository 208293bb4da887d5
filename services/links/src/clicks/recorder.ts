import { backoffMs, sleep } from '@atrium/events/timing';
import type { Logger } from '@atrium/service-kit/logger';
import type { Click } from './click.ts';
import type { AppendResult, ClickJournal, ClickOrigin } from './journal.ts';
import type { NotRecordedReason } from './metrics.ts';
import type { ClickStore } from './store.ts';

export interface ClickRecorderOptions {
  journal: ClickJournal;
  store: ClickStore;
  logger: Logger;
  onNotRecorded: (reason: NotRecordedReason, clicks: number) => void;
}

interface Waiting {
  click: Click;
  /** Settles within the time limit of a Redis command. */
  appended: Promise<AppendResult>;
}

/** Clicks within the limits. */
interface Admitted {
  clicks: Click[];
  /** Entries of those clicks that are in the journal. */
  entryIds: string[];
}

const BATCH_MAX = 500;
/** Beyond these the oldest are left to the journal: 30,000 usual clicks, or 7,000 with the longest headers. */
const WAITING_BYTES_MAX = 24 * 1024 ** 2;
/** What a click takes besides its headers and target. */
const CLICK_BYTES = 512;

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
  #waitingBytes = 0;
  readonly #removals = new Set<Promise<void>>();
  #storing: Promise<void> | undefined;

  constructor(options: ClickRecorderOptions) {
    this.#options = options;
  }

  /** Returns at once; neither Redis nor Postgres is waited for. */
  record(click: Click, origin: ClickOrigin): void {
    const appended = this.#options.journal.append(click, origin);
    if (!(appended instanceof Promise)) {
      this.#options.onNotRecorded('limit', 1);
      return;
    }
    const waiting = { click, appended };
    const last = this.#batches.at(-1);
    if (last !== undefined && last.length < BATCH_MAX) last.push(waiting);
    else this.#batches.push([waiting]);
    this.#waitingBytes += bytesOf(click);
    if (this.#waitingBytes > WAITING_BYTES_MAX) void this.#leaveToJournal(this.#takeBatch() ?? []);
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
    for (let batch = this.#takeBatch(); batch !== undefined; batch = this.#takeBatch()) {
      const admitted = await this.#admit(batch);
      if (!(await this.#store(admitted.clicks))) {
        this.#reportLost(admitted);
        break;
      }
      // The next batch does not wait for Redis.
      const removal = this.#removeFromJournal(admitted.entryIds).finally(() =>
        this.#removals.delete(removal),
      );
      this.#removals.add(removal);
    }
    this.#storing = undefined;
  }

  #takeBatch(): Waiting[] | undefined {
    const batch = this.#batches.shift();
    for (const { click } of batch ?? []) this.#waitingBytes -= bytesOf(click);
    return batch;
  }

  /** Tries until it succeeds; false when it fails while the process is stopping. */
  async #store(clicks: readonly Click[]): Promise<boolean> {
    const { store, logger } = this.#options;
    if (clicks.length === 0) return true;
    for (let failures = 0; ; failures += 1) {
      try {
        await store.storeAll(clicks);
        if (failures > 0) logger.info('clicks are stored again');
        return true;
      } catch (error) {
        if (this.#stopping.signal.aborted) return false;
        // One line per outage, not one per attempt.
        if (failures === 0) logger.warn({ err: error }, 'clicks cannot be stored, will try again');
        await sleep(backoffMs(failures), this.#stopping.signal);
      }
    }
  }

  async #removeFromJournal(entryIds: readonly string[]): Promise<void> {
    try {
      await this.#options.journal.remove(entryIds);
    } catch (error) {
      // They are stored once more as orphans, which changes nothing.
      this.#options.logger.debug({ err: error }, 'stored clicks stay in the journal');
    }
  }

  async #leaveToJournal(batch: readonly Waiting[]): Promise<void> {
    this.#reportLost(await this.#admit(batch));
  }

  /** Waits for the journal and drops the clicks over the limit. */
  async #admit(batch: readonly Waiting[]): Promise<Admitted> {
    const admitted: Admitted = { clicks: [], entryIds: [] };
    for (const { click, appended } of batch) {
      const result = await appended;
      if (result.kind === 'limited') continue;
      admitted.clicks.push(click);
      if (result.kind === 'appended') admitted.entryIds.push(result.entryId);
    }
    const limited = batch.length - admitted.clicks.length;
    if (limited > 0) this.#options.onNotRecorded('limit', limited);
    return admitted;
  }

  /** Called when the clicks leave the memory unstored. */
  #reportLost({ clicks, entryIds }: Admitted): void {
    const lost = clicks.length - entryIds.length;
    if (lost === 0) return;
    this.#options.onNotRecorded('journal', lost);
    this.#options.logger.warn(
      { clicks: lost },
      'clicks not recorded: neither stored nor journaled',
    );
  }
}

function bytesOf({ url, referrer, userAgent }: Click): number {
  return CLICK_BYTES + url.length + (referrer?.length ?? 0) + (userAgent?.length ?? 0);
}
