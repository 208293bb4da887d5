import type { Database } from '@atrium/service-kit/database';
import type { Reservation } from '../scheduling/reservations.ts';
import { ENDPOINT } from '../scheduling/lease-store.ts';
import type { AcceptedEvent, Candidate, NewDelivery } from './fan-out.ts';

export interface RejectedEvent {
  eventId: string | null;
  reason: string;
  payload: string;
}

export interface IntakeStore {
  candidates(events: readonly AcceptedEvent[]): Promise<Candidate[]>;
  /**
   * Stores part by part, each committed when it comes: the deliveries of it that are new. What is
   * reserved among them is leased.
   */
  store(
    events: readonly AcceptedEvent[],
    deliveries: readonly NewDelivery[],
    reservation: Pick<Reservation, 'lease' | 'ids'>,
  ): AsyncIterable<NewDelivery[]>;
  /** Keeps events that cannot be taken in, for the operator. One that is known already stays. */
  reject(rejected: readonly RejectedEvent[]): Promise<void>;
}

/** A statement with more could outlast its timeout on a busy server. */
const DELIVERIES_PER_STATEMENT = 2_000;

const CANDIDATES = `
  SELECT id AS "subscriptionId", account_id AS "accountId", events, paused, ${ENDPOINT} AS endpoint
  FROM subscriptions WHERE account_id = ANY($1::text[]) AND enabled AND deleted_at IS NULL`;

// One statement, so one transaction: an event that arrives twice, even at the same time, finds its
// own rows and adds nothing, and no purge sees an event without its deliveries. A subscription that
// was deleted meanwhile gets nothing: its deletion waits for this lock, or this sees it.
const STORE = `
  WITH new_events AS (
    INSERT INTO events (id, event, account_id, body, request_id, created_at)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
      $6::timestamptz[])
    ON CONFLICT (id) DO NOTHING
  ), live AS MATERIALIZED (
    SELECT id FROM subscriptions WHERE id = ANY($11::text[]) AND deleted_at IS NULL
    ORDER BY id FOR KEY SHARE
  ), stored AS (
    INSERT INTO deliveries (id, event_id, subscription_id, event)
    SELECT d.id, d.event_id, d.subscription_id, d.event
    FROM unnest($7::text[], $8::text[], $9::text[], $10::text[])
      AS d (id, event_id, subscription_id, event)
    JOIN live ON live.id = d.subscription_id
    ON CONFLICT (event_id, subscription_id) DO NOTHING
    RETURNING id, event_id, subscription_id
  ), waiting AS (
    INSERT INTO undelivered (subscription_id, delivery_id, event_id, lease_id, leased_until)
    SELECT subscription_id, stored.id, event_id, lease.id, lease.until
    FROM stored LEFT JOIN (
      SELECT unnest($12::text[]) AS delivery_id, $13::uuid AS id,
        now() + $14::int * interval '1 millisecond' AS until
    ) lease ON lease.delivery_id = stored.id
    RETURNING delivery_id
  )
  -- Nearly always all of them: then their ids need not come back.
  SELECT CASE WHEN count(*) < cardinality($7::text[])
    THEN coalesce(array_agg(delivery_id), '{}') END AS ids
  FROM waiting`;

const REJECT = `
  INSERT INTO rejected_events (event_id, reason, payload)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
  ON CONFLICT (event_id) DO NOTHING`;

export function createIntakeStore(database: Database): IntakeStore {
  return {
    candidates(events) {
      return database.query<Candidate>(CANDIDATES, [
        [...new Set(events.map(({ event }) => event.accountId))],
      ]);
    },

    async *store(events, deliveries, { lease, ids: reserved }) {
      for (const part of partsOf(events, deliveries)) {
        const ids = part.deliveries.map((delivery) => delivery.id);
        const [row] = await database.query<{ ids: string[] | null }>(STORE, [
          part.events.map(({ event }) => event.id),
          part.events.map(({ event }) => event.event),
          part.events.map(({ event }) => event.accountId),
          part.events.map(({ body }) => body),
          part.events.map(({ event }) => event.requestId ?? null),
          part.events.map(({ event }) => event.createdAt),
          ids,
          part.deliveries.map((delivery) => delivery.eventId),
          part.deliveries.map((delivery) => delivery.subscriptionId),
          part.deliveries.map((delivery) => delivery.event),
          [...new Set(part.deliveries.map((delivery) => delivery.subscriptionId))],
          ids.filter((id) => reserved.has(id)),
          lease.leaseId,
          lease.leaseMs,
        ]);
        const isNew = new Set(row?.ids ?? ids);
        yield part.deliveries.filter(({ id }) => isNew.has(id));
      }
    },

    async reject(rejected) {
      await database.query(REJECT, [
        rejected.map((event) => event.eventId),
        rejected.map((event) => event.reason),
        rejected.map((event) => event.payload),
      ]);
    },
  };
}

interface Part {
  events: AcceptedEvent[];
  deliveries: NewDelivery[];
}

/**
 * Whole events with all their deliveries, as many to a statement as it may have. In one order
 * everywhere: two intakes of the same events then wait for each other, and never deadlock.
 */
function partsOf(events: readonly AcceptedEvent[], deliveries: readonly NewDelivery[]): Part[] {
  const byEvent = Map.groupBy(deliveries, (delivery) => delivery.eventId);
  const parts: Part[] = [];
  for (const accepted of events.toSorted((a, b) => (a.event.id < b.event.id ? -1 : 1))) {
    const own = byEvent.get(accepted.event.id)?.toSorted(bySubscription);
    if (own === undefined) continue;
    const last = parts.at(-1);
    if (last === undefined || last.deliveries.length + own.length > DELIVERIES_PER_STATEMENT) {
      parts.push({ events: [accepted], deliveries: own });
    } else {
      last.events.push(accepted);
      last.deliveries.push(...own);
    }
  }
  return parts;
}

function bySubscription(a: NewDelivery, b: NewDelivery): number {
  return a.subscriptionId < b.subscriptionId ? -1 : 1;
}
