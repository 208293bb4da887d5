interface Waiter {
  slotKey: string;
  start: () => void;
}

export interface LookupSlotsOptions {
  concurrency: number;
  /** Concurrent look-ups of one key, such as an account, so that its dead names hold up only its own deliveries. */
  keyConcurrency: number;
}

/** Limits concurrent look-ups, overall and per key. Those that wait start in order. */
export class LookupSlots {
  readonly #options: LookupSlotsOptions;
  readonly #runningByKey = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(options: LookupSlotsOptions) {
    this.#options = options;
  }

  /** Runs `work` in a free slot. When `signal` aborts before there is one, rejects with its reason. */
  run<T>(slotKey: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const leave = () => {
      this.#waiting.delete(waiter);
      reject(signal.reason);
    };
    const waiter: Waiter = {
      slotKey,
      start: () => {
        signal.removeEventListener('abort', leave);
        this.#count(slotKey, 1);
        const finished = work();
        resolve(finished);
        const free = () => {
          this.#count(slotKey, -1);
          this.#startNext();
        };
        finished.then(free, free);
      },
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiter);
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    const { concurrency, keyConcurrency } = this.#options;
    for (const waiter of this.#waiting) {
      if (this.#running >= concurrency) return;
      if ((this.#runningByKey.get(waiter.slotKey) ?? 0) >= keyConcurrency) continue;
      this.#waiting.delete(waiter);
      waiter.start();
    }
  }

  #count(slotKey: string, change: 1 | -1): void {
    this.#running += change;
    const count = (this.#runningByKey.get(slotKey) ?? 0) + change;
    if (count === 0) this.#runningByKey.delete(slotKey);
    else this.#runningByKey.set(slotKey, count);
  }
}
