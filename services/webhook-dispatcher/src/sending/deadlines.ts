/** Something with a deadline; the fields belong to `Deadlines`. */
export abstract class Timed {
  dueMs = 0;
  earlier: Timed | undefined;
  later: Timed | undefined;
  abstract expire(): void;
}

/**
 * Deadlines of one length, so that the first to start is the first to end: a linked list and one
 * timer for its head. A timer for each request would cost more than the request's signature.
 */
export class Deadlines implements Disposable {
  readonly #lengthMs: number;
  #first: Timed | undefined;
  #last: Timed | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** @param startMs the present, by `performance.now()` */
  start(timed: Timed, startMs: number): void {
    timed.dueMs = startMs + this.#lengthMs;
    timed.earlier = this.#last;
    if (this.#last === undefined) this.#first = timed;
    else this.#last.later = timed;
    this.#last = timed;
    this.#timer ??= setTimeout(this.#sweep, this.#lengthMs + 1);
  }

  end(timed: Timed): void {
    const { earlier, later } = timed;
    if (earlier === undefined && this.#first !== timed) return;
    if (earlier === undefined) this.#first = later;
    else earlier.later = later;
    if (later === undefined) this.#last = earlier;
    else later.earlier = earlier;
    timed.earlier = undefined;
    timed.later = undefined;
  }

  readonly #sweep = () => {
    const nowMs = performance.now();
    while (this.#first !== undefined && this.#first.dueMs <= nowMs) {
      const timed = this.#first;
      this.end(timed);
      timed.expire();
    }
    // What started meanwhile ends later. Without any there is no timer until the next one starts.
    const first = this.#first;
    this.#timer =
      first === undefined ? undefined : setTimeout(this.#sweep, first.dueMs - nowMs + 1);
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
