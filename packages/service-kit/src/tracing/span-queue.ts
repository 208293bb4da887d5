/** A few seconds of a busy process, about 2 MB. */
const WAITING_MAX = 4_096;
const BATCH_MAX = 512;
const EXPORT_INTERVAL_MS = 1_000;
/** Orchestrators give 30 s to everything that is stopped. */
const FLUSH_MAX_MS = 2_000;

/** Sends a batch; false when the collector did not take it. */
export type ExportBatch<Span> = (spans: Span[]) => Promise<boolean>;

/**
 * Spans on their way to the collector. One batch is sent at a time; what finds the queue full, or was not taken, is
 * dropped and counted, so that nothing ever waits for a collector.
 */
export class SpanQueue<Span> implements AsyncDisposable {
  readonly #exportBatch: ExportBatch<Span>;
  readonly #onDropped: (spans: number) => void;
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #exporting: Promise<void> | undefined;

  constructor(exportBatch: ExportBatch<Span>, onDropped: (spans: number) => void) {
    this.#exportBatch = exportBatch;
    this.#onDropped = onDropped;
  }

  add(span: Span): void {
    if (this.#waiting.length >= WAITING_MAX) {
      this.#onDropped(1);
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= BATCH_MAX) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), EXPORT_INTERVAL_MS).unref();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#exporting ??= this.#exportWaiting().finally(() => (this.#exporting = undefined));
  }

  async #exportWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MAX);
      if (!(await this.#exportBatch(batch))) this.#onDropped(batch.length);
    }
  }

  /** Sends what waits, for at most 2 s. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#start();
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FLUSH_MAX_MS);
    await Promise.race([this.#exporting, isLate]);
    clearTimeout(timer);
  }
}
