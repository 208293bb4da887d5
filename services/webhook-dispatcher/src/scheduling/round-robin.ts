import type { EndpointQueues } from './endpoint-queues.ts';

/** Deliveries that one lease takes at most for healthy endpoints. */
const LEASE_MAX = 200;
/** Endpoints that one lease reads. */
const LEASE_ENDPOINTS_MAX = 200;
/** Unknown endpoints may turn out to be slow while they hold slots: up to this many times the slots. */
const SLOW_SHARES_MAX = 4;

/** What the next lease asks for. */
export interface Round {
  /** How many of its due deliveries each endpoint may get. */
  slots: ReadonlyMap<string, number>;
  /** The limit over all endpoints together. */
  limit: number;
}

/** The endpoints that may have something due, the next to be served first. */
export class RoundRobinScheduler {
  readonly #due = new Set<string>();
  /** Added while a lease was under way, which may have read them too early. */
  readonly #addedMeanwhile = new Set<string>();

  add(subscriptionIds: readonly string[]): void {
    for (const id of subscriptionIds) {
      this.#due.add(id);
      this.#addedMeanwhile.add(id);
    }
  }

  /**
   * Healthy, unknown and slow endpoints have `concurrency` slots each: however many hang, the others
   * go on, and a new one can show that it answers.
   *
   * @param heldCount deliveries held for all endpoints together
   */
  nextRound(
    endpoints: Pick<EndpointQueues, 'stateOf' | 'freeSlots' | 'countHeld'>,
    heldCount: number,
    concurrency: number,
  ): Round {
    this.#addedMeanwhile.clear();
    const held = { unknown: endpoints.countHeld('unknown'), slow: endpoints.countHeld('slow') };
    const freeHealthy = concurrency - (heldCount - held.unknown - held.slow);
    // A small lease costs as much as a full one: wait until a good part of one is free.
    const isWorthwhile = freeHealthy >= Math.min(LEASE_MAX, concurrency) / 2;
    const free = {
      healthy: isWorthwhile ? Math.min(LEASE_MAX, freeHealthy) : 0,
      unknown: held.slow < SLOW_SHARES_MAX * concurrency ? concurrency - held.unknown : 0,
      slow: concurrency - held.slow,
    };
    const slots = new Map<string, number>();
    let limit = free.healthy;
    for (const id of this.#due) {
      const state = endpoints.stateOf(id);
      const count = Math.min(endpoints.freeSlots(id), free[state], LEASE_MAX);
      if (count <= 0) continue;
      slots.set(id, count);
      if (state !== 'healthy') {
        free[state] -= count;
        limit += count;
      }
      if (slots.size >= LEASE_ENDPOINTS_MAX) break;
    }
    return { slots, limit };
  }

  /** Puts served endpoints last; those that gave all they had wait until they are added again. */
  completeRound({ slots, limit }: Round, leased: readonly { subscriptionId: string }[]): void {
    const counts = new Map<string, number>();
    for (const { subscriptionId } of leased) {
      counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + 1);
    }
    for (const [id, count] of slots) {
      this.#due.delete(id);
      // A full lease may have been cut before this endpoint's last row.
      const isDrained = leased.length < limit && (counts.get(id) ?? 0) < count;
      if (!isDrained || this.#addedMeanwhile.has(id)) this.#due.add(id);
    }
  }
}
