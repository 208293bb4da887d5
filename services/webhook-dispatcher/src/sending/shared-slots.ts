/** Slots, such as the connections to an origin, that no account can take from the others. */
export class SharedSlots {
  readonly #max: number;
  readonly #taken = new Map<string, number>();
  #takenCount = 0;
  /** What waits, of each account in order. The account whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #isServing = false;

  constructor(max: number) {
    this.#max = max;
  }

  get isUnused(): boolean {
    return this.#takenCount === 0;
  }

  /**
   * An account gets another slot while it has fewer than half as many as are free: a third when it is alone, and of
   * several that want more each as many, and twice as many stay free. These are the dynamic thresholds of
   * Choudhury and Hahne (1998) with a factor of 0.5.
   */
  hasRoomFor(accountId: string): boolean {
    return 2 * (this.#taken.get(accountId) ?? 0) < this.#max - this.#takenCount;
  }

  take(accountId: string): void {
    this.#takenCount += 1;
    this.#taken.set(accountId, (this.#taken.get(accountId) ?? 0) + 1);
  }

  leave(accountId: string): void {
    const count = (this.#taken.get(accountId) ?? 1) - 1;
    this.#takenCount -= 1;
    if (count === 0) this.#taken.delete(accountId);
    else this.#taken.set(accountId, count);
    if (this.#waiting.size === 0 || this.#isServing) return;
    // Later: what is started may leave at once, and would start the next from within.
    this.#isServing = true;
    queueMicrotask(() => this.#serve());
  }

  /** Takes a slot and calls `start`, at once or when it is the account's turn; false when it has to wait. */
  enter(accountId: string, start: () => void): boolean {
    if (this.hasRoomFor(accountId)) {
      this.take(accountId);
      start();
      return true;
    }
    const starts = this.#waiting.get(accountId);
    if (starts === undefined) this.#waiting.set(accountId, new Set([start]));
    else starts.add(start);
    return false;
  }

  /** It waits no longer. */
  cancel(accountId: string, start: () => void): void {
    const starts = this.#waiting.get(accountId);
    starts?.delete(start);
    if (starts?.size === 0) this.#waiting.delete(accountId);
  }

  /** One of each account in turn: an account that was served is visited again after all others. */
  #serve(): void {
    this.#isServing = false;
    for (const [accountId, starts] of this.#waiting) {
      const [start] = starts;
      if (start === undefined || !this.hasRoomFor(accountId)) continue;
      starts.delete(start);
      this.#waiting.delete(accountId);
      if (starts.size > 0) this.#waiting.set(accountId, starts);
      this.take(accountId);
      start();
    }
  }
}
