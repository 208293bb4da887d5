import type { Attempt, LeasedDelivery } from '../sending/deliver.ts';
import type { CircuitState } from './circuit-breaker.ts';
import {
  type EndpointQueue,
  type EndpointState,
  newQueue,
  WINDOW_INITIAL,
} from './endpoint-queue.ts';
import type { Rest } from './resting-endpoints.ts';
import type { TakePermits } from './endpoint-rate.ts';

/** How many deliveries of one endpoint may be held at most, while it answers fast. */
const WINDOW_MAX = 200;
/** An endpoint without an answer for this long is slow. */
const SLOW_AFTER_MS = 1_000;
const KEEP_IDLE_MS = 10_000;
const KEEP_IDLE_UNHEALTHY_MS = 3_600_000;

/** Requests beyond the concurrency that may be in flight because they were asked for now. */
const URGENT_MAX = 2;

export interface EndpointQueuesOptions {
  /** Requests in flight to one endpoint at most. */
  concurrency: number;
  clockMs: () => number;
  takePermits: TakePermits;
  start: (delivery: LeasedDelivery) => void;
  /** Called when the circuit of an endpoint has opened, or closed again: null. */
  onRest?: ((subscriptionId: string, rest: Rest | null) => void) | undefined;
}

/**
 * A queue of leased deliveries for each endpoint, so that one that hangs holds up no other. The
 * window bounds how much is leased for an endpoint: additive increase and multiplicative decrease,
 * as TCP probes a path (RFC 5681).
 */
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #notHealthy = { unknown: new Set<EndpointQueue>(), slow: new Set<EndpointQueue>() };
  readonly #options: EndpointQueuesOptions;

  constructor(options: EndpointQueuesOptions) {
    this.#options = options;
  }

  stateOf(id: string): EndpointState {
    return this.#queues.get(id)?.state ?? 'unknown';
  }

  accountOf(id: string): string | undefined {
    return this.#queues.get(id)?.accountId;
  }

  /**
   * How many more deliveries to this endpoint may be leased now. A lease also reads what is held already, so
   * until nothing waits here it must be worth it.
   */
  freeSlots(id: string): number {
    const queue = this.#queues.get(id);
    if (queue === undefined) return WINDOW_INITIAL;
    const { window, ratePerSecond, breaker, inFlight, waiting } = queue;
    const circuit = breaker.state(this.#options.clockMs());
    const allowed = { closed: window, 'half-open': 1, open: 0 }[circuit];
    const limit = ratePerSecond === null ? allowed : Math.min(allowed, Math.ceil(ratePerSecond));
    const free = Math.max(0, limit - inFlight - waiting.length);
    return waiting.length === 0 || free >= limit / 2 ? free : 0;
  }

  /** Deliveries held for endpoints in this state. */
  countHeld(state: 'unknown' | 'slow'): number {
    let count = 0;
    for (const { inFlight, waiting } of this.#notHealthy[state]) count += inFlight + waiting.length;
    return count;
  }

  /** Endpoints by the state of their circuit breakers. */
  countCircuits(): Record<CircuitState, number> {
    const counts = { closed: 0, open: 0, 'half-open': 0 };
    const nowMs = this.#options.clockMs();
    for (const { breaker } of this.#queues.values()) counts[breaker.state(nowMs)] += 1;
    return counts;
  }

  add(delivery: LeasedDelivery): void {
    const queue = this.#queueOf(delivery.subscriptionId);
    queue.accountId = delivery.endpoint.accountId;
    queue.ratePerSecond = delivery.endpoint.rateLimitPerSecond;
    queue.waiting.push(delivery);
    this.#startNext(queue);
  }

  /** Sends it at once, past the open circuit and what waits, unless as many are under way already. */
  sendNow(delivery: LeasedDelivery): void {
    const queue = this.#queueOf(delivery.subscriptionId);
    if (queue.inFlight >= this.#options.concurrency + URGENT_MAX) {
      queue.waiting.unshift(delivery);
      return;
    }
    queue.urgent.add(delivery.id);
    this.#start(queue, delivery);
  }

  /** The same for one that may wait here, not for one that is under way. */
  promote(delivery: LeasedDelivery): void {
    const { waiting } = this.#queueOf(delivery.subscriptionId);
    const index = waiting.indexOf(delivery);
    if (index === -1) return;
    waiting.splice(index, 1);
    this.sendNow(delivery);
  }

  finish(
    attempt: Pick<Attempt, 'subscriptionId' | 'deliveryId' | 'outcome' | 'status' | 'durationMs'>,
  ): void {
    const { subscriptionId, deliveryId, outcome, status, durationMs } = attempt;
    const queue = this.#queueOf(subscriptionId);
    const nowMs = this.#options.clockMs();
    const isAnswered = status !== null;
    const isQuick = isAnswered && durationMs < SLOW_AFTER_MS;
    const wasUrgent = queue.urgent.delete(deliveryId);
    queue.inFlight -= 1;
    queue.lastProgressMs = nowMs;
    const before = queue.breaker.rest?.untilMs;
    if (outcome === 'delivered') queue.breaker.succeed();
    // Testing a broken endpoint does not make what waits for it wait longer.
    else if (!wasUrgent) queue.breaker.fail(nowMs, { isAnswered });
    const { rest } = queue.breaker;
    if (rest?.untilMs !== before) this.#options.onRest?.(subscriptionId, rest);
    if (!isAnswered) queue.window = Math.max(1, Math.floor(queue.window / 2));
    else if (isQuick) queue.window = Math.min(WINDOW_MAX, queue.window + 1);
    this.#setState(queue, isQuick ? 'healthy' : 'slow');
    this.#startNext(queue);
  }

  /** A delivery that was started is not sent after all. */
  cancel({ subscriptionId, id }: Pick<LeasedDelivery, 'subscriptionId' | 'id'>): void {
    const queue = this.#queueOf(subscriptionId);
    const wasUrgent = queue.urgent.delete(id);
    queue.inFlight -= 1;
    if (queue.ratePerSecond !== null && !wasUrgent) queue.permits += 1;
    this.#startNext(queue);
  }

  /** A delivery was not sent for a reason of our own: fewer are tried, but no failure is counted. */
  postpone(delivery: LeasedDelivery): void {
    const queue = this.#queueOf(delivery.subscriptionId);
    queue.window = Math.max(1, Math.floor(queue.window / 2));
    this.#setState(queue, 'slow');
    this.cancel(delivery);
  }

  /** Removes queues that were empty for a while, those of unhealthy endpoints after an hour. */
  removeIdle(): void {
    const nowMs = this.#options.clockMs();
    for (const [id, queue] of this.#queues) {
      const isHealthy = queue.state === 'healthy' && queue.breaker.state(nowMs) === 'closed';
      const keepMs = isHealthy ? KEEP_IDLE_MS : KEEP_IDLE_UNHEALTHY_MS;
      const isEmpty = queue.inFlight + queue.waiting.length === 0;
      if (isEmpty && queue.lastProgressMs < nowMs - keepMs) {
        this.#queues.delete(id);
        if (queue.state !== 'healthy') this.#notHealthy[queue.state].delete(queue);
      }
    }
  }

  /** Takes out what waits behind requests that hang or an open circuit, to free its slots. */
  takeStalled(): LeasedDelivery[] {
    const nowMs = this.#options.clockMs();
    return [...this.#queues.values()].flatMap((queue) => {
      const waitsForRate = queue.isAwaitingPermits && queue.inFlight === 0;
      const isStalled = queue.lastProgressMs <= nowMs - SLOW_AFTER_MS && !waitsForRate;
      if (isStalled && queue.inFlight > 0) this.#setState(queue, 'slow');
      const isBlocked = isStalled || queue.breaker.state(nowMs) === 'open';
      if (queue.waiting.length === 0 || !isBlocked) return [];
      queue.window = Math.min(queue.window, this.#options.concurrency);
      return queue.waiting.splice(0);
    });
  }

  takeAllWaiting(): LeasedDelivery[] {
    return [...this.#queues.values()].flatMap((queue) => queue.waiting.splice(0));
  }

  #queueOf(id: string): EndpointQueue {
    let queue = this.#queues.get(id);
    if (queue === undefined) {
      queue = newQueue(id, this.#options.clockMs());
      this.#queues.set(id, queue);
      this.#notHealthy.unknown.add(queue);
    }
    return queue;
  }

  #setState(queue: EndpointQueue, state: EndpointState): void {
    if (queue.state === state) return;
    if (queue.state !== 'healthy') this.#notHealthy[queue.state].delete(queue);
    if (state !== 'healthy') this.#notHealthy[state].add(queue);
    queue.state = state;
  }

  #startNext(queue: EndpointQueue): void {
    const circuit = queue.breaker.state(this.#options.clockMs());
    const allowed = Math.min(this.#options.concurrency, queue.window);
    const limit = { closed: allowed, 'half-open': 1, open: 0 }[circuit];
    while (queue.inFlight < limit && queue.waiting.length > 0) {
      if (queue.ratePerSecond !== null && queue.permits === 0) {
        const wanted = Math.min(limit, queue.waiting.length);
        void this.#obtainPermits(queue, queue.ratePerSecond, wanted);
        return;
      }
      const next = queue.waiting.shift();
      if (next === undefined) return;
      if (queue.ratePerSecond !== null) queue.permits -= 1;
      this.#start(queue, next);
    }
  }

  #start(queue: EndpointQueue, delivery: LeasedDelivery): void {
    if (queue.inFlight === 0) queue.lastProgressMs = this.#options.clockMs();
    queue.inFlight += 1;
    this.#options.start(delivery);
  }

  async #obtainPermits(queue: EndpointQueue, rate: number, wanted: number): Promise<void> {
    if (queue.isAwaitingPermits) return;
    queue.isAwaitingPermits = true;
    const { granted, retryAfterMs } = await this.#options.takePermits(queue.id, rate, wanted);
    queue.permits += granted;
    const resume = () => {
      queue.isAwaitingPermits = false;
      queue.lastProgressMs = this.#options.clockMs();
      this.#startNext(queue);
    };
    if (granted > 0) resume();
    else setTimeout(resume, retryAfterMs).unref();
  }
}
