import type { EndpointLanes } from './endpoint-states.ts';
import type { Lease } from './lease.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';

/** A delivery with all that an attempt needs but a lease. */
export type UnleasedDelivery = Omit<LeasedDelivery, 'leaseId'>;

/** Places for deliveries that are about to be stored, kept until this is disposed of. */
export interface Reservation extends Disposable {
  /** To store them under. */
  lease: Pick<Lease, 'leaseId' | 'leaseMs'>;
  /** The deliveries that have a place. */
  ids: ReadonlySet<string>;
  /** These are stored now: attempt them. */
  start(deliveries: readonly UnleasedDelivery[]): void;
}

export type Reserve = (
  wanted: readonly Pick<LeasedDelivery, 'id' | 'subscriptionId'>[],
) => Reservation;

export interface ReservationOptions {
  lanes: Pick<EndpointLanes, 'reserve' | 'unreserve'>;
  /** How many more deliveries may be held. */
  freePlaces: () => number;
  /** Whether older deliveries to this endpoint may wait for their turn. */
  isAwaited: (subscriptionId: string) => boolean;
  newLease: () => Lease;
  hold: (delivery: LeasedDelivery, lease: Lease) => void;
}

/**
 * Lets a delivery be stored under a lease and attempted at once, where its endpoint answers well, has
 * room, and nothing older waits for it: it is then neither looked for nor written once more.
 */
export function createReserve(options: ReservationOptions): Reserve {
  const { lanes, freePlaces, isAwaited, newLease, hold } = options;
  let reserved = 0;
  return (wanted) => {
    const lease = newLease();
    const kept = wanted.filter(({ subscriptionId }) => {
      const fits = freePlaces() > reserved && !isAwaited(subscriptionId);
      const isKept = fits && lanes.reserve(subscriptionId);
      if (isKept) reserved += 1;
      return isKept;
    });
    return {
      lease,
      ids: new Set(kept.map(({ id }) => id)),
      start(deliveries) {
        for (const delivery of deliveries) hold({ ...delivery, leaseId: lease.leaseId }, lease);
      },
      [Symbol.dispose]() {
        reserved -= kept.length;
        for (const { subscriptionId } of kept) lanes.unreserve(subscriptionId);
      },
    };
  };
}
