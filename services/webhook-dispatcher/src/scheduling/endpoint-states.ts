import { CircuitBreaker, type CircuitState } from './circuit-breaker.ts';
import type { TakePermits } from './endpoint-rate.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';

/** How many deliveries of one endpoint may be held: at first, and at most while it answers fast. */
const WINDOW_FIRST = 2;
const WINDOW_MAX = 200;
/** Without an answer for this long, an endpoint counts as slow. */
const SLOW_AFTER_MS = 1_000;
const KEEP_IDLE_MS = 10_000;
const KEEP_SLOW_MS = 3_600_000;

/** How an endpoint has answered so far: not at all yet, in good time, or late or never. */
export type Standing = 'unknown' | 'proven' | 'slow';

interface Lane {
  id: string;
  /** How many deliveries may be held here: grows by one with each quick answer, halves without one. */
  window: number;
  standing: Standing;
  active: number;
  /** Places kept for what is about to come. */
  reserved: number;
  waiting: LeasedDelivery[];
  lastProgressMs: number;
  breaker: CircuitBreaker;
  /** Requests a second that the owner allows; null for any. */
  rate: number | null;
  /** Requests that the rate allows now. */
  permits: number;
  awaitingPermits: boolean;
}

export interface AttemptResult {
  durationMs: number;
  /** `unanswered`: no connection, or nothing before the deadline. */
  kind: 'delivered' | 'refused' | 'unanswered';
}

export interface LaneOptions {
  /** Requests to one endpoint at once. */
  concurrency: number;
  clockMs: () => number;
  takePermits: TakePermits;
  start: (delivery: LeasedDelivery) => void;
}

/**
 * One lane per endpoint, so that a receiver which hangs fills its own lane and nobody else's. The
 * windows say how much may be leased for each: additive increase, multiplicative decrease, as TCP
 * finds what a path can take, with its slow start (RFC 5681).
 */
export class EndpointLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #unproven = { unknown: new Set<Lane>(), slow: new Set<Lane>() };
  readonly #options: LaneOptions;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** How many more deliveries to this endpoint may be leased now. */
  room(id: string): number {
    const lane = this.#lanes.get(id);
    if (lane === undefined) return WINDOW_FIRST;
    const state = lane.breaker.state(this.#options.clockMs());
    const window = { closed: lane.window, 'half-open': 1, open: 0 }[state];
    const paced = lane.rate === null ? window : Math.min(window, Math.ceil(lane.rate));
    return Math.max(0, paced - lane.active - lane.reserved - lane.waiting.length);
  }

  /** Keeps a place at an endpoint that answers in good time; false when there is none. */
  reserve(id: string): boolean {
    const lane = this.#lanes.get(id);
    if (lane?.standing !== 'proven' || this.room(id) === 0) return false;
    lane.reserved += 1;
    return true;
  }

  unreserve(id: string): void {
    const lane = this.#lanes.get(id);
    if (lane !== undefined) lane.reserved -= 1;
  }

  standing(id: string): Standing {
    return this.#lanes.get(id)?.standing ?? 'unknown';
  }

  /** Deliveries held for endpoints that are not proven. */
  held(standing: 'unknown' | 'slow'): number {
    let held = 0;
    for (const lane of this.#unproven[standing]) held += lane.active + lane.waiting.length;
    return held;
  }

  add(delivery: LeasedDelivery): void {
    const lane = this.#lane(delivery.subscriptionId);
    lane.rate = delivery.endpoint.rateLimitPerSecond;
    lane.waiting.push(delivery);
    this.#advance(lane);
  }

  finished(subscriptionId: string, result: AttemptResult): void {
    const lane = this.#lane(subscriptionId);
    const nowMs = this.#options.clockMs();
    lane.active -= 1;
    lane.lastProgressMs = nowMs;
    if (result.kind === 'delivered') lane.breaker.succeeded();
    else lane.breaker.failed(nowMs, { answered: result.kind === 'refused' });
    const isQuick = result.kind !== 'unanswered' && result.durationMs < SLOW_AFTER_MS;
    this.#move(lane, isQuick ? 'proven' : 'slow');
    if (result.kind === 'unanswered') lane.window = Math.max(1, Math.floor(lane.window / 2));
    else if (result.durationMs < SLOW_AFTER_MS) lane.window = Math.min(WINDOW_MAX, lane.window + 1);
    this.#advance(lane);
  }

  /** The attempt was not made after all. */
  abandoned(subscriptionId: string): void {
    const lane = this.#lane(subscriptionId);
    lane.active -= 1;
    if (lane.rate !== null) lane.permits += 1;
    this.#advance(lane);
  }

  /** How many endpoints are in each state. */
  circuits(): Record<CircuitState, number> {
    const counts = { closed: 0, open: 0, 'half-open': 0 };
    const nowMs = this.#options.clockMs();
    for (const { breaker } of this.#lanes.values()) counts[breaker.state(nowMs)] += 1;
    return counts;
  }

  /** Forgets endpoints that had nothing to do for a while, those that answer badly somewhat later. */
  forgetIdle(): void {
    const nowMs = this.#options.clockMs();
    for (const [id, lane] of this.#lanes) {
      const idle = lane.active + lane.reserved + lane.waiting.length === 0;
      const well = lane.standing === 'proven' && lane.breaker.state(nowMs) === 'closed';
      if (idle && lane.lastProgressMs < nowMs - (well ? KEEP_IDLE_MS : KEEP_SLOW_MS)) {
        this.#lanes.delete(id);
        this.#move(lane, 'proven');
      }
    }
  }

  /**
   * Takes back what waits behind requests that hang, so that it does not fill this worker. Those
   * endpoints have to prove themselves again.
   */
  takeStalled(): LeasedDelivery[] {
    const nowMs = this.#options.clockMs();
    return [...this.#lanes.values()].flatMap((lane) => {
      const paced = lane.awaitingPermits && lane.active === 0;
      const slow = lane.lastProgressMs <= nowMs - SLOW_AFTER_MS && !paced;
      if (slow && lane.active > 0) this.#move(lane, 'slow');
      if (lane.waiting.length === 0 || !(slow || lane.breaker.state(nowMs) === 'open')) return [];
      lane.window = Math.min(lane.window, this.#options.concurrency);
      return lane.waiting.splice(0);
    });
  }

  takeAllWaiting(): LeasedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
  }

  #lane(id: string): Lane {
    let lane = this.#lanes.get(id);
    if (lane === undefined) {
      lane = {
        id,
        window: WINDOW_FIRST,
        standing: 'unknown',
        active: 0,
        reserved: 0,
        waiting: [],
        lastProgressMs: this.#options.clockMs(),
        breaker: new CircuitBreaker(),
        rate: null,
        permits: 0,
        awaitingPermits: false,
      };
      this.#lanes.set(id, lane);
      this.#unproven.unknown.add(lane);
    }
    return lane;
  }

  #move(lane: Lane, standing: Standing): void {
    if (lane.standing === standing) return;
    if (lane.standing !== 'proven') this.#unproven[lane.standing].delete(lane);
    if (standing !== 'proven') this.#unproven[standing].add(lane);
    lane.standing = standing;
  }

  #advance(lane: Lane): void {
    const limit = this.#limit(lane);
    while (lane.active < limit && lane.waiting.length > 0) {
      if (lane.rate !== null && lane.permits === 0) {
        void this.#obtainPermits(lane, lane.rate, Math.min(limit, lane.waiting.length));
        return;
      }
      const next = lane.waiting.shift();
      if (next === undefined) return;
      if (lane.rate !== null) lane.permits -= 1;
      if (lane.active === 0) lane.lastProgressMs = this.#options.clockMs();
      lane.active += 1;
      this.#options.start(next);
    }
  }

  #limit(lane: Lane): number {
    const state = lane.breaker.state(this.#options.clockMs());
    if (state === 'open') return 0;
    return state === 'half-open' ? 1 : Math.min(this.#options.concurrency, lane.window);
  }

  async #obtainPermits(lane: Lane, rate: number, wanted: number): Promise<void> {
    if (lane.awaitingPermits) return;
    lane.awaitingPermits = true;
    const { granted, retryAfterMs } = await this.#options.takePermits(lane.id, rate, wanted);
    lane.permits += granted;
    const go = () => {
      lane.awaitingPermits = false;
      lane.lastProgressMs = this.#options.clockMs();
      this.#advance(lane);
    };
    if (granted > 0) go();
    else setTimeout(go, retryAfterMs).unref();
  }
}
