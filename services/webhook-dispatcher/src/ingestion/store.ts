import type { EventEnvelope } from '@atrium/contracts/events';
import type { Sql } from '@atrium/service-kit/database';

// All SQL here is raw: CTEs, on the measured path of ingestion.

/** An event with the bytes that every attempt for it will send. */
export interface NewEvent {
  event: Omit<EventEnvelope, 'data'>;
  body: string;
  /** The subscriptions that ask for its type and whose filter it does not match. */
  unmatched?: readonly string[];
}

/** An enabled subscription that may ask for some events of a batch. */
export interface Candidate {
  subscriptionId: string;
  accountId: string;
  events: readonly string[];
  /** As JSON. */
  filter: string | null;
  /** Whether deliveries of it are held, so that later ones wait behind them. */
  holds: boolean;
}

export interface NewDelivery {
  id: string;
  accountId: string;
  eventId: string;
  event: string;
  subscriptionId: string;
}

export interface RejectedEvent {
  eventId: string | null;
  reason: string;
  payload: string;
}

export interface IngestionStore {
  findCandidates(events: readonly NewEvent[]): Promise<Candidate[]>;
  /**
   * Inserts what is new and returns its subscriptions, without those whose deliveries are held.
   * Commits in parts of whole events.
   */
  insert(
    events: readonly NewEvent[],
    deliveries: readonly NewDelivery[],
    isHeld?: (delivery: NewDelivery) => boolean,
  ): Promise<Set<string>>;
  /** Keeps rejected events for the operator. One that is known already stays. */
  reject(rejected: readonly RejectedEvent[]): Promise<void>;
}

/** A statement with more could exceed its timeout on a busy server. */
const DELIVERIES_PER_STATEMENT = 2_000;

const CANDIDATES = `
  SELECT id AS "subscriptionId", account_id AS "accountId", events, filter::text AS filter, EXISTS (
    SELECT 1 FROM held_deliveries h WHERE h.subscription_id = s.id OFFSET 0) AS holds
  FROM subscriptions s WHERE account_id = ANY($1::text[]) AND enabled AND deleted_at IS NULL`;

// One statement, so one transaction: an event that arrives twice, even at the same time, finds its
// own rows and adds nothing, and no purge sees an event without its deliveries. A subscription that
// was deleted meanwhile gets nothing, nor is an event stored of an account that was erased: both wait
// for this lock, or are seen here.
const INSERT = `
  WITH live AS MATERIALIZED (
    SELECT id, account_id FROM subscriptions WHERE id = ANY($11::text[]) AND deleted_at IS NULL
    ORDER BY id FOR KEY SHARE
  ), new_events AS (
    INSERT INTO events (id, event, account_id, body, request_id, created_at,
      unmatched_subscription_ids, traceparent)
    SELECT id, event, account_id, body, request_id, created_at, string_to_array(unmatched, ','), traceparent
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
      $12::text[], $13::text[])
      AS e (id, event, account_id, body, request_id, created_at, unmatched, traceparent)
    WHERE account_id IN (SELECT account_id FROM live)
    ON CONFLICT (id) DO NOTHING
    RETURNING unmatched_subscription_ids
  ), counted AS (
    UPDATE subscriptions s SET unmatched_count = s.unmatched_count + locked.count FROM (
      SELECT id, count FROM subscriptions JOIN (
        SELECT unmatched.id, count(*) AS count FROM new_events
        CROSS JOIN unnest(unmatched_subscription_ids) AS unmatched (id) GROUP BY 1
      ) counts USING (id)
      ORDER BY id FOR NO KEY UPDATE OF subscriptions
    ) locked
    WHERE s.id = locked.id
  ), given AS MATERIALIZED (
    SELECT d.* FROM unnest($7::text[], $8::text[], $9::text[], $10::text[], $14::boolean[])
      AS d (id, event_id, subscription_id, event, is_held)
    JOIN live ON live.id = d.subscription_id
  ), held AS (
    INSERT INTO held_deliveries (subscription_id, event_id, event)
    SELECT subscription_id, event_id, event FROM given WHERE is_held
    ON CONFLICT (subscription_id, event_id) DO NOTHING
  ), new_deliveries AS (
    INSERT INTO deliveries (id, event_id, subscription_id, event)
    SELECT id, event_id, subscription_id, event FROM given WHERE NOT is_held
    ON CONFLICT (event_id, subscription_id) DO NOTHING
    RETURNING id, event_id, subscription_id
  ), new_undelivered AS (
    INSERT INTO undelivered (subscription_id, delivery_id, event_id)
    SELECT subscription_id, id, event_id FROM new_deliveries
    RETURNING subscription_id
  )
  SELECT DISTINCT subscription_id AS "subscriptionId" FROM new_undelivered`;

const REJECT = `
  INSERT INTO rejected_events (event_id, reason, payload)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
  ON CONFLICT (event_id) DO NOTHING`;

/** @param onInserted called for each delivery; one of an event that arrives again was not inserted */
export function createIngestionStore(
  database: Sql,
  onInserted: (delivery: NewDelivery) => void = () => undefined,
): IngestionStore {
  return {
    findCandidates(events) {
      return database.query<Candidate>(CANDIDATES, [
        [...new Set(events.map(({ event }) => event.accountId))],
      ]);
    },

    async insert(events, deliveries, isHeld = () => false) {
      const subscriptionIds = new Set<string>();
      for (const part of partsOf(events, deliveries)) {
        const inserted = await database.query<{ subscriptionId: string }>(INSERT, [
          part.events.map(({ event }) => event.id),
          part.events.map(({ event }) => event.event),
          part.events.map(({ event }) => event.accountId),
          part.events.map(({ body }) => body),
          part.events.map(({ event }) => event.requestId ?? null),
          part.events.map(({ event }) => event.createdAt),
          part.deliveries.map(({ id }) => id),
          part.deliveries.map(({ eventId }) => eventId),
          part.deliveries.map(({ subscriptionId }) => subscriptionId),
          part.deliveries.map(({ event }) => event),
          [
            ...new Set([
              ...part.deliveries.map((each) => each.subscriptionId),
              ...unmatchedOf(part),
            ]),
          ],
          part.events.map(({ unmatched }) => unmatched?.join(',') ?? null),
          part.events.map(({ event }) => event.traceparent ?? null),
          part.deliveries.map(isHeld),
        ]);
        for (const { subscriptionId } of inserted) subscriptionIds.add(subscriptionId);
        part.deliveries.filter((each) => !isHeld(each)).forEach(onInserted);
      }
      return subscriptionIds;
    },

    async reject(rejected) {
      await database.query(REJECT, [
        rejected.map(({ eventId }) => eventId),
        rejected.map(({ reason }) => reason),
        rejected.map(({ payload }) => payload),
      ]);
    },
  };
}

interface Part {
  events: NewEvent[];
  deliveries: NewDelivery[];
}

/**
 * Whole events with all their deliveries, as many as one statement may have, always in the same
 * order: two workers that ingest the same events then wait for each other and never deadlock.
 */
function partsOf(events: readonly NewEvent[], deliveries: readonly NewDelivery[]): Part[] {
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  const parts: Part[] = [];
  for (const newEvent of events.toSorted((a, b) => (a.event.id < b.event.id ? -1 : 1))) {
    const own = byEvent.get(newEvent.event.id)?.toSorted(bySubscription) ?? [];
    if (own.length === 0 && newEvent.unmatched === undefined) continue;
    const last = parts.at(-1);
    if (last === undefined || last.deliveries.length + own.length > DELIVERIES_PER_STATEMENT) {
      parts.push({ events: [newEvent], deliveries: own });
    } else {
      last.events.push(newEvent);
      last.deliveries.push(...own);
    }
  }
  return parts;
}

const unmatchedOf = ({ events }: Part) => events.flatMap(({ unmatched = [] }) => unmatched);

function bySubscription(a: NewDelivery, b: NewDelivery): number {
  return a.subscriptionId < b.subscriptionId ? -1 : 1;
}
