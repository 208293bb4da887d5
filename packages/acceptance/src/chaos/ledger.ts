/** What became of the events of one fault. */
export interface Tally {
  /** Actions that the interface accepted, and that therefore owe an event. */
  accepted: number;
  /** Those of them whose event the receiver has verified. */
  delivered: number;
  lost: number;
  /** Verified copies after the first one. */
  extraCopies: number;
  /** The longest time from an answer to the delivery of its event. */
  longestDelayMs: number;
}

interface Arrival {
  firstAtMs: number;
  copies: number;
}

/**
 * Two books: what was accepted, and what arrived. An action and its event are known by the same
 * mark, a text that no other action has. An arrival may come before the answer to its action, and
 * may belong to an action whose answer the fault swallowed.
 */
export class Ledger {
  readonly #accepted = new Map<string, number>();
  readonly #arrived = new Map<string, Arrival>();
  readonly #missing = new Set<string>();

  accept(mark: string, atMs: number): void {
    if (this.#accepted.has(mark)) return;
    this.#accepted.set(mark, atMs);
    if (!this.#arrived.has(mark)) this.#missing.add(mark);
  }

  arrive(mark: string, atMs: number): void {
    const arrival = this.#arrived.get(mark);
    if (arrival !== undefined) {
      arrival.copies += 1;
      return;
    }
    this.#arrived.set(mark, { firstAtMs: atMs, copies: 1 });
    this.#missing.delete(mark);
  }

  /** Accepted and not yet delivered, oldest first. */
  get missing(): ReadonlySet<string> {
    return this.#missing;
  }

  tally(): Tally {
    let longestDelayMs = 0;
    for (const [mark, acceptedAtMs] of this.#accepted) {
      const arrival = this.#arrived.get(mark);
      if (arrival !== undefined) {
        longestDelayMs = Math.max(longestDelayMs, arrival.firstAtMs - acceptedAtMs);
      }
    }
    let extraCopies = 0;
    for (const { copies } of this.#arrived.values()) extraCopies += copies - 1;
    return {
      accepted: this.#accepted.size,
      delivered: this.#accepted.size - this.#missing.size,
      lost: this.#missing.size,
      extraCopies,
      longestDelayMs,
    };
  }
}
