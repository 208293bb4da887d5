import type { LeasedDelivery } from './store.ts';

/** How many deliveries of one endpoint may be held, at most, while it answers fast. */
const WINDOW_MAX = 200;
/** Without an answer for this long, an endpoint counts as slow. */
const SLOW_AFTER_MS = 1_000;
const KEEP_IDLE_MS = 10_000;
const KEEP_SLOW_MS = 3_600_000;

interface Lane {
  /** How many deliveries may be held here: grows by one with each quick answer, halves on a timeout. */
  window: number;
  active: number;
  waiting: LeasedDelivery[];
  lastProgressMs: number;
}

export interface LaneOptions {
  /** Requests to one endpoint at once. */
  concurrency: number;
  clockMs: () => number;
  start: (delivery: LeasedDelivery) => void;
}

/**
 * One lane per endpoint, so that a receiver which hangs fills its own lane and nobody else's. The
 * windows say how much may be leased for each: additive increase, multiplicative decrease, as TCP
 * finds what a path can take (RFC 5681).
 */
export class EndpointLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #options: LaneOptions;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** What the next lease may take for each endpoint that this process knows. */
  rooms(): Map<string, number> {
    const rooms = new Map<string, number>();
    for (const [id, lane] of this.#lanes) {
      rooms.set(id, Math.max(0, lane.window - lane.active - lane.waiting.length));
    }
    return rooms;
  }

  add(delivery: LeasedDelivery): void {
    const lane = this.#lane(delivery.subscriptionId);
    lane.waiting.push(delivery);
    this.#advance(lane);
  }

  finished(subscriptionId: string, answer: { durationMs: number; timedOut: boolean }): void {
    const lane = this.#lane(subscriptionId);
    lane.active -= 1;
    lane.lastProgressMs = this.#options.clockMs();
    if (answer.timedOut) lane.window = Math.max(1, Math.floor(lane.window / 2));
    else if (answer.durationMs < SLOW_AFTER_MS) lane.window = Math.min(WINDOW_MAX, lane.window + 1);
    this.#advance(lane);
  }

  /** Forgets endpoints that had nothing to do for a while, windows that shrank somewhat later. */
  forgetIdle(): void {
    const nowMs = this.#options.clockMs();
    for (const [id, lane] of this.#lanes) {
      const idle = lane.active === 0 && lane.waiting.length === 0;
      const keepMs = lane.window < this.#options.concurrency ? KEEP_SLOW_MS : KEEP_IDLE_MS;
      if (idle && lane.lastProgressMs < nowMs - keepMs) this.#lanes.delete(id);
    }
  }

  /** Takes back what waits behind requests that hang, so that it does not fill this worker. */
  takeStalled(): LeasedDelivery[] {
    const slowBeforeMs = this.#options.clockMs() - SLOW_AFTER_MS;
    return [...this.#lanes.values()].flatMap((lane) => {
      if (lane.waiting.length === 0 || lane.lastProgressMs > slowBeforeMs) return [];
      lane.window = Math.min(lane.window, this.#options.concurrency);
      return lane.waiting.splice(0);
    });
  }

  takeAllWaiting(): LeasedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
  }

  #lane(subscriptionId: string): Lane {
    let lane = this.#lanes.get(subscriptionId);
    if (lane === undefined) {
      const { concurrency: window, clockMs } = this.#options;
      lane = { window, active: 0, waiting: [], lastProgressMs: clockMs() };
      this.#lanes.set(subscriptionId, lane);
    }
    return lane;
  }

  #advance(lane: Lane): void {
    const limit = Math.min(this.#options.concurrency, lane.window);
    while (lane.active < limit) {
      const next = lane.waiting.shift();
      if (next === undefined) return;
      if (lane.active === 0) lane.lastProgressMs = this.#options.clockMs();
      lane.active += 1;
      this.#options.start(next);
    }
  }
}
