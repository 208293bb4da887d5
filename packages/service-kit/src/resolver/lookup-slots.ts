interface Waiter {
  accountId: string;
  start: () => void;
}

export interface LookupSlotsOptions {
  concurrency: number;
  /** Concurrent look-ups of one account, so that its dead names hold up only its own deliveries. */
  accountConcurrency: number;
}

/** Limits concurrent look-ups, overall and per account. Those that wait start in order. */
export class LookupSlots {
  readonly #options: LookupSlotsOptions;
  readonly #runningByAccount = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(options: LookupSlotsOptions) {
    this.#options = options;
  }

  /** Runs `work` in a free slot. When `signal` aborts before there is one, rejects with its reason. */
  run<T>(accountId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const leave = () => {
      this.#waiting.delete(waiter);
      reject(signal.reason);
    };
    const waiter: Waiter = {
      accountId,
      start: () => {
        signal.removeEventListener('abort', leave);
        this.#count(accountId, 1);
        const finished = work();
        resolve(finished);
        const free = () => {
          this.#count(accountId, -1);
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
    const { concurrency, accountConcurrency } = this.#options;
    for (const waiter of this.#waiting) {
      if (this.#running >= concurrency) return;
      if ((this.#runningByAccount.get(waiter.accountId) ?? 0) >= accountConcurrency) continue;
      this.#waiting.delete(waiter);
      waiter.start();
    }
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#running += change;
    const count = (this.#runningByAccount.get(accountId) ?? 0) + change;
    if (count === 0) this.#runningByAccount.delete(accountId);
    else this.#runningByAccount.set(accountId, count);
  }
}
