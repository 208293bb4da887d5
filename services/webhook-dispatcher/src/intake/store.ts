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

const STORE_EVENTS = `
  INSERT INTO events (id, event, account_id, body, request_id, created_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
    $6::timestamptz[])
  ON CONFLICT (id) DO NOTHING`;

// One statement, so one transaction: an event that arrives twice, even at the same time, finds its
// own rows and adds nothing.
const STORE_DELIVERIES = `
  WITH stored AS (
    INSERT INTO deliveries (id, event_id, subscription_id, event)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
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
      if (deliveries.length === 0) return [];
      const wanted = new Set(deliveries.map((delivery) => delivery.eventId));
      // In one order everywhere: two intakes of the same events then wait, and never deadlock.
      const kept = events
        .filter(({ event }) => wanted.has(event.id))
        .toSorted((a, b) => (a.event.id < b.event.id ? -1 : 1));
      await database.query(
        STORE_EVENTS,
        [
          kept.map(({ event }) => event.id),
          kept.map(({ event }) => event.event),
          kept.map(({ event }) => event.accountId),
          kept.map(({ body }) => body),
          kept.map(({ event }) => event.requestId ?? null),
          kept.map(({ event }) => event.createdAt),
        ],
        'store-events',
      );
      const ordered = deliveries.toSorted(byEventAndSubscription);
      const subscriptionIds = new Set<string>();
      for (let start = 0; start < ordered.length; start += DELIVERIES_PER_STATEMENT) {
        const chunk = ordered.slice(start, start + DELIVERIES_PER_STATEMENT);
        const rows = await database.query<{ id: string }>(
          STORE_DELIVERIES,
          [
            chunk.map((delivery) => delivery.id),
            chunk.map((delivery) => delivery.eventId),
            chunk.map((delivery) => delivery.subscriptionId),
            chunk.map((delivery) => delivery.event),
          ],
          'store-deliveries',
        );
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

function byEventAndSubscription(a: NewDelivery, b: NewDelivery): number {
  const [first, second] = [a.eventId + a.subscriptionId, b.eventId + b.subscriptionId];
  return first < second ? -1 : 1;
}
