/** The result of one fault. */
export interface Tally {
  /** Requests that a service accepted; each must lead to an event. */
  accepted: number;
  /** Requests whose event the receiver has verified. */
  delivered: number;
  lost: number;
  /** Verified deliveries of an event after its first. */
  extraCopies: number;
  /** Events that were made twice: verified ones with the marker of another. */
  doubles: number;
  /** The longest time from a response to the delivery of its event. */
  longestDelayMs: number;
}

interface Arrival {
  eventId: string;
  firstAtMs: number;
  copies: number;
}

/**
 * Compares accepted requests with delivered events. A request and its event have the same unique marker.
 * A delivery may come before the response to its request, and may belong to a request whose response was
 * lost in the fault.
 */
export class Ledger {
  readonly #accepted = new Map<string, number>();
  readonly #arrived = new Map<string, Arrival>();
  readonly #missing = new Set<string>();
  readonly #doubles = new Set<string>();

  accept(marker: string, atMs: number): void {
    if (this.#accepted.has(marker)) return;
    this.#accepted.set(marker, atMs);
    if (!this.#arrived.has(marker)) this.#missing.add(marker);
  }

  deliver(marker: string, eventId: string, atMs: number): void {
    const arrival = this.#arrived.get(marker);
    if (arrival !== undefined) {
      if (arrival.eventId === eventId) arrival.copies += 1;
      else this.#doubles.add(eventId);
      return;
    }
    this.#arrived.set(marker, { eventId, firstAtMs: atMs, copies: 1 });
    this.#missing.delete(marker);
  }

  /** Markers that are accepted and not yet delivered, oldest first. */
  get missing(): ReadonlySet<string> {
    return this.#missing;
  }

  tally(): Tally {
    let longestDelayMs = 0;
    for (const [marker, acceptedAtMs] of this.#accepted) {
      const arrival = this.#arrived.get(marker);
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
      doubles: this.#doubles.size,
      longestDelayMs,
    };
  }
}
