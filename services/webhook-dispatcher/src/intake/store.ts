import type { EventEnvelope } from '@atrium/contracts/events';
import type { Database } from '@atrium/service-kit/database';
import { type Candidate, deliveryBody, type NewDelivery } from './fan-out.ts';

export interface IntakeStore {
  candidates(events: readonly EventEnvelope[]): Promise<Candidate[]>;
  /** Answers how many deliveries are new. */
  store(events: readonly EventEnvelope[], deliveries: readonly NewDelivery[]): Promise<number>;
}

const CANDIDATES = `
  SELECT id AS "subscriptionId", account_id AS "accountId", events
  FROM subscriptions WHERE account_id = ANY($1::text[]) AND enabled`;

// One statement, so one transaction: an event that arrives twice, even at the same time, finds its
// own rows and adds nothing. The join leaves out subscriptions that were deleted meanwhile.
const STORE = `
  WITH new_events AS (
    INSERT INTO events (id, event, account_id, body, request_id, created_at)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
      $6::timestamptz[])
    ON CONFLICT (id) DO NOTHING
  ), new_deliveries AS (
    INSERT INTO deliveries (id, event_id, subscription_id)
    SELECT d.id, d.event_id, d.subscription_id
    FROM unnest($7::text[], $8::text[], $9::text[]) AS d (id, event_id, subscription_id)
    JOIN (SELECT id FROM subscriptions WHERE id = ANY($9::text[]) FOR KEY SHARE) s
      ON s.id = d.subscription_id
    ON CONFLICT (event_id, subscription_id) DO NOTHING
    RETURNING 1
  )
  SELECT count(*)::int AS stored FROM new_deliveries`;

export function createIntakeStore(database: Database): IntakeStore {
  return {
    candidates(events) {
      return database.query<Candidate>(CANDIDATES, [[...new Set(events.map((e) => e.accountId))]]);
    },

    async store(events, deliveries) {
      if (deliveries.length === 0) return 0;
      const wanted = new Set(deliveries.map((delivery) => delivery.eventId));
      // In one order everywhere: two intakes of the same events then wait, and never deadlock.
      const kept = events
        .filter((event) => wanted.has(event.id))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const [row] = await database.query<{ stored: number }>(STORE, [
        kept.map((event) => event.id),
        kept.map((event) => event.event),
        kept.map((event) => event.accountId),
        kept.map(deliveryBody),
        kept.map((event) => event.requestId ?? null),
        kept.map((event) => event.createdAt),
        deliveries.map((delivery) => delivery.id),
        deliveries.map((delivery) => delivery.eventId),
        deliveries.map((delivery) => delivery.subscriptionId),
      ]);
      return row?.stored ?? 0;
    },
  };
}
