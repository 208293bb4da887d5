import type { EndpointQueues } from '../endpoints/endpoint-queues.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';

/** Deliveries that one lease takes at most for healthy endpoints. */
const LEASE_MAX = 200;
/** Endpoints that one lease reads. */
const LEASE_ENDPOINTS_MAX = 200;
/** What an endpoint gets in its turn, or more while few are due: each costs a lease some reads. */
const SHARE_MIN = 20;
/** What an endpoint gets when it was idle before. */
const NEW_SHARE = 2;
/** Unknown endpoints may turn out to be slow while they hold slots: up to this many times the slots. */
const SLOW_SHARES_MAX = 4;
/** Bytes of bodies that one lease takes at most, beyond its first body. */
const LEASE_MAX_BYTES = 2_000_000;
/** Bytes of bodies held together, half of them for endpoints that are healthy. */
export const HELD_MAX_BYTES = 32_000_000;
/** An account that holds this much gets no more: with its last lease it takes an eighth of all. */
const ACCOUNT_MAX_BYTES = HELD_MAX_BYTES / 16;

/** What the next lease asks for. */
export interface Round {
  /** How many of its due deliveries each endpoint may get. */
  slots: ReadonlyMap<string, number>;
  /** The limit over all endpoints together. */
  limit: number;
  /** Bytes of bodies, after which the lease takes no more. */
  bytes: number;
}

/** Deliveries held for all endpoints together. */
export interface Held {
  count: number;
  bytes: number;
  /** Bytes held for endpoints that are unknown or slow. */
  unhealthyBytes: number;
  /** Bytes held for each account. */
  accountBytes: ReadonlyMap<string, number>;
}

/** Counts what a worker holds: a few thousand deliveries at most, once for each lease. */
export function measure(
  held: Iterable<LeasedDelivery>,
  endpoints: Pick<EndpointQueues, 'stateOf'>,
): Held {
  const accountBytes = new Map<string, number>();
  const measured = { count: 0, bytes: 0, unhealthyBytes: 0, accountBytes };
  for (const { subscriptionId, bodyBytes, endpoint } of held) {
    const { accountId } = endpoint;
    measured.count += 1;
    measured.bytes += bodyBytes;
    accountBytes.set(accountId, (accountBytes.get(accountId) ?? 0) + bodyBytes);
    if (endpoints.stateOf(subscriptionId) !== 'healthy') measured.unhealthyBytes += bodyBytes;
  }
  return measured;
}

/**
 * The endpoints that may have something due. Those that were idle come first, so that a backlog
 * elsewhere does not delay their first deliveries, but take at most half of a lease (as new flows do
 * in RFC 8290, section 4.2); the others follow in turn.
 */
export class RoundRobinScheduler {
  readonly #new = new Set<string>();
  readonly #backlogged = new Set<string>();
  /** Added while a lease was under way, which may have read them too early. */
  readonly #addedMeanwhile = new Set<string>();

  add(subscriptionIds: readonly string[]): void {
    for (const id of subscriptionIds) {
      if (!this.#backlogged.has(id)) this.#new.add(id);
      this.#addedMeanwhile.add(id);
    }
  }

  /**
   * Healthy, unknown and slow endpoints have `concurrency` slots each: however many hang, the others
   * go on, and a new one can show that it answers.
   */
  nextRound(
    endpoints: Pick<EndpointQueues, 'stateOf' | 'accountOf' | 'freeSlots' | 'countHeld'>,
    held: Held,
    concurrency: number,
  ): Round {
    this.#addedMeanwhile.clear();
    const unknown = endpoints.countHeld('unknown');
    const slow = endpoints.countHeld('slow');
    const bytes = Math.min(LEASE_MAX_BYTES, HELD_MAX_BYTES - held.bytes);
    const freeHealthy = bytes > 0 ? concurrency - (held.count - unknown - slow) : 0;
    // A small lease costs as much as a full one: wait until a good part of one is free.
    const isWorthwhile = freeHealthy >= Math.min(LEASE_MAX, concurrency) / 2;
    const isRoomForUnhealthy = bytes > 0 && held.unhealthyBytes < HELD_MAX_BYTES / 2;
    const free = {
      healthy: isWorthwhile ? Math.min(LEASE_MAX, freeHealthy) : 0,
      unknown:
        isRoomForUnhealthy && slow < SLOW_SHARES_MAX * concurrency ? concurrency - unknown : 0,
      slow: isRoomForUnhealthy ? concurrency - slow : 0,
    };
    const slots = new Map<string, number>();
    let limit = free.healthy;
    const take = (ids: Iterable<string>, share: number, endpointsMax: number) => {
      for (const id of ids) {
        if (slots.size >= endpointsMax) return;
        const accountBytes = held.accountBytes.get(endpoints.accountOf(id) ?? '') ?? 0;
        if (accountBytes >= ACCOUNT_MAX_BYTES) continue;
        const state = endpoints.stateOf(id);
        const count = Math.min(endpoints.freeSlots(id), free[state], share);
        if (count <= 0) continue;
        slots.set(id, count);
        if (state !== 'healthy') {
          free[state] -= count;
          limit += count;
        }
      }
    };
    const backlogged = this.#backlogged.size;
    if (backlogged === 0) take(this.#new, LEASE_MAX, LEASE_ENDPOINTS_MAX);
    else take(this.#new, NEW_SHARE, LEASE_MAX / 2 / NEW_SHARE);
    const share = Math.max(SHARE_MIN, Math.ceil(LEASE_MAX / backlogged));
    take(this.#backlogged, share, LEASE_ENDPOINTS_MAX);
    return { slots, limit, bytes };
  }

  /** Puts served endpoints last; those that gave all they had wait until they are added again. */
  completeRound(
    { slots, limit, bytes }: Round,
    leased: readonly Pick<LeasedDelivery, 'subscriptionId' | 'bodyBytes'>[],
  ): void {
    const counts = new Map<string, number>();
    let leasedBytes = 0;
    for (const { subscriptionId, bodyBytes } of leased) {
      counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + 1);
      leasedBytes += bodyBytes;
    }
    // A full lease read no endpoint after the last one that gave something: those keep their place.
    const isFull = leased.length >= limit || leasedBytes >= bytes;
    const ids = [...slots.keys()];
    const last = isFull ? ids.findLastIndex((id) => counts.has(id)) : ids.length - 1;
    for (const [index, id] of ids.slice(0, last + 1).entries()) {
      const isCut = isFull && index === last;
      const isDrained = !isCut && (counts.get(id) ?? 0) < (slots.get(id) ?? 0);
      this.#new.delete(id);
      this.#backlogged.delete(id);
      if (!isDrained) this.#backlogged.add(id);
      else if (this.#addedMeanwhile.has(id)) this.#new.add(id);
    }
  }
}
