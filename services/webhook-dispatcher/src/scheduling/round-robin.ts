import type { EndpointLanes } from './endpoint-states.ts';

/** Rows that one lease takes at most of endpoints that answer. */
const LEASE_BATCH = 200;
/** Endpoints that one lease looks at. */
const LEASE_ENDPOINTS = 200;
/** Unknown endpoints may turn out slow while they hold places: up to this many times the places. */
const SLOW_SHARES_MAX = 4;

/** What the next lease asks for. */
export interface Turn {
  /** How many of its due deliveries each endpoint may get. */
  rooms: Map<string, number>;
  /** How many the lease may take in all. */
  limit: number;
}

/** The endpoints that may have something due, those whose turn is next in front. */
export class EndpointTurns {
  readonly #active = new Set<string>();
  /** Woken while a lease was under way, which may have looked too early. */
  readonly #wokenMeanwhile = new Set<string>();

  add(ids: readonly string[]): void {
    for (const id of ids) {
      this.#active.add(id);
      this.#wokenMeanwhile.add(id);
    }
  }

  /** Whether it may have something due that waits for its turn. */
  has(id: string): boolean {
    return this.#active.has(id);
  }

  /**
   * Round robin among those that have room. Endpoints that answer, those that are unknown and those
   * that are slow have `concurrency` places each: however many hang, the others go on, and a new one
   * can show that it answers.
   */
  next(lanes: EndpointLanes, heldCount: number, concurrency: number): Turn {
    this.#wokenMeanwhile.clear();
    const held = { unknown: lanes.held('unknown'), slow: lanes.held('slow') };
    const provenRoom = concurrency - (heldCount - held.unknown - held.slow);
    // Small leases cost as much as full ones: wait until there is room for a good part of one.
    const takesProven = provenRoom >= Math.min(LEASE_BATCH, concurrency) / 2;
    const left = {
      proven: takesProven ? Math.min(LEASE_BATCH, provenRoom) : 0,
      unknown: held.slow < SLOW_SHARES_MAX * concurrency ? concurrency - held.unknown : 0,
      slow: concurrency - held.slow,
    };
    const turn: Turn = { rooms: new Map(), limit: left.proven };
    for (const id of this.#active) {
      const standing = lanes.standing(id);
      const room = Math.min(lanes.room(id), left[standing], LEASE_BATCH);
      if (room <= 0) continue;
      turn.rooms.set(id, room);
      if (standing !== 'proven') {
        left[standing] -= room;
        turn.limit += room;
      }
      if (turn.rooms.size >= LEASE_ENDPOINTS) break;
    }
    return turn;
  }

  /** Those that gave all they had wait until they are woken or found again. */
  taken({ rooms, limit }: Turn, rows: readonly { subscriptionId: string }[]): void {
    const counts = new Map<string, number>();
    for (const { subscriptionId } of rows) {
      counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + 1);
    }
    for (const [id, room] of rooms) {
      this.#active.delete(id);
      // A full lease may have been cut before it came to this endpoint's last row.
      const isDrained = rows.length < limit && (counts.get(id) ?? 0) < room;
      if (!isDrained || this.#wokenMeanwhile.has(id)) this.#active.add(id);
    }
  }
}
