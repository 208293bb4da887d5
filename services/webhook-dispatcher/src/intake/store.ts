import type { Database } from '@atrium/service-kit/database';
import type { AcceptedEvent, Candidate, NewDelivery } from './fan-out.ts';

export interface RejectedEvent {
  eventId: string | null;
  reason: string;
  payload: string;
}

export interface IntakeStore {
  candidates(events: readonly AcceptedEvent[]): Promise<Candidate[]>;
  /** Answers the subscriptions that got new deliveries. */
  store(events: readonly AcceptedEvent[], deliveries: readonly NewDelivery[]): Promise<string[]>;
  /** Keeps events that cannot be taken in, for the operator. One that is known already stays. */
  reject(rejected: readonly RejectedEvent[]): Promise<void>;
}

/** A statement with more could outlast its timeout on a busy server. */
const DELIVERIES_PER_STATEMENT = 2_000;

const CANDIDATES = `
  SELECT id AS "subscriptionId", account_id AS "accountId", events
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
    INSERT INTO undelivered (subscription_id, delivery_id, event_id)
    SELECT subscription_id, id, event_id FROM stored
    RETURNING subscription_id
  )
  SELECT DISTINCT subscription_id AS id FROM waiting`;

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

    async store(events, deliveries) {
      const subscriptionIds = new Set<string>();
      for (const part of partsOf(events, deliveries)) {
        const rows = await database.query<{ id: string }>(STORE, [
          part.events.map(({ event }) => event.id),
          part.events.map(({ event }) => event.event),
          part.events.map(({ event }) => event.accountId),
          part.events.map(({ body }) => body),
          part.events.map(({ event }) => event.requestId ?? null),
          part.events.map(({ event }) => event.createdAt),
          part.deliveries.map((delivery) => delivery.id),
          part.deliveries.map((delivery) => delivery.eventId),
          part.deliveries.map((delivery) => delivery.subscriptionId),
          part.deliveries.map((delivery) => delivery.event),
          [...new Set(part.deliveries.map((delivery) => delivery.subscriptionId))],
        ]);
        for (const { id } of rows) subscriptionIds.add(id);
      }
      return [...subscriptionIds];
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
