import type { EventEnvelope } from '@atrium/contracts/events';
import type { Sql } from '@atrium/service-kit/database';
import type { NewEvent } from './store.ts';

// All SQL here is raw: limited counts, skip scans, and locks.

/** An event that waits, with the subscriptions that asked for it when it arrived. */
export interface HeldEvent extends NewEvent {
  subscriptionIds: readonly string[];
}

export interface HeldEventsStore {
  /** How many deliveries of an account wait, counted up to this many. */
  countBacklog(accountId: string, max: number): Promise<number>;
  /** Keeps events in this order. One that is kept already stays where it is. */
  hold(events: readonly HeldEvent[]): Promise<void>;
  /** The next account after this one with events that wait; undefined after the last. */
  findNextAccount(after: string): Promise<string | undefined>;
  /** The oldest events of an account, at most `limit` and fewer when they are large. */
  listOldest(accountId: string, limit: number): Promise<HeldEvent[]>;
  remove(eventIds: readonly string[]): Promise<void>;
}

// Disabled and paused subscriptions do not count: their deliveries keep no worker busy. The order
// keeps the planner to the index, also when its statistics are old.
const COUNT_BACKLOG = `
  SELECT count(*)::int AS count FROM (
    SELECT 1 FROM subscriptions s CROSS JOIN LATERAL (
      SELECT 1 FROM undelivered u WHERE u.subscription_id = s.id AND u.due_at IS NOT NULL
      ORDER BY u.due_at LIMIT $2::int) waiting
    WHERE s.account_id = $1 AND s.enabled AND NOT s.paused AND s.deleted_at IS NULL
    LIMIT $2::int) counted`;

// An erasure of the account waits for the locks, or is seen here.
const HOLD = `
  WITH live AS MATERIALIZED (
    SELECT account_id FROM subscriptions WHERE account_id = ANY($3::text[]) AND deleted_at IS NULL
    ORDER BY id FOR KEY SHARE
  )
  INSERT INTO held_events (event_id, event, account_id, body, request_id, created_at, subscription_ids,
    unmatched_subscription_ids, traceparent)
  SELECT id, event, account_id, body, request_id, created_at, string_to_array(subscription_ids, ','),
    string_to_array(unmatched, ','), traceparent
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
    $7::text[], $8::text[], $9::text[]) WITH ORDINALITY
    AS e (id, event, account_id, body, request_id, created_at, subscription_ids, unmatched, traceparent,
      position)
  WHERE account_id IN (SELECT account_id FROM live)
  ORDER BY position
  ON CONFLICT (event_id) DO NOTHING`;

const NEXT_ACCOUNT = `
  SELECT account_id AS id FROM held_events WHERE account_id > $1 ORDER BY account_id LIMIT 1`;

/** Bytes of bodies that are read together, beyond the first one. */
const READ_MAX_BYTES = 500_000;

const FIRST = `
  SELECT event_id AS id, event, account_id AS "accountId", body, request_id AS "requestId",
    traceparent, created_at AS "createdAt", subscription_ids AS "subscriptionIds",
    unmatched_subscription_ids AS unmatched
  FROM (
    SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before
    FROM held_events WHERE account_id = $1 ORDER BY seq LIMIT $2::int
  ) oldest WHERE bytes_before < ${READ_MAX_BYTES} ORDER BY seq`;

interface HeldRow {
  id: string;
  event: EventEnvelope['event'];
  accountId: string;
  body: string;
  requestId: string | null;
  traceparent: string | null;
  createdAt: Date;
  subscriptionIds: string[];
  unmatched: string[] | null;
}

export function createHeldEventsStore(database: Sql): HeldEventsStore {
  return {
    async countBacklog(accountId, max) {
      const [row] = await database.query<{ count: number }>(COUNT_BACKLOG, [accountId, max]);
      return row?.count ?? 0;
    },

    async hold(events) {
      await database.query(HOLD, [
        events.map(({ event }) => event.id),
        events.map(({ event }) => event.event),
        events.map(({ event }) => event.accountId),
        events.map(({ body }) => body),
        events.map(({ event }) => event.requestId ?? null),
        events.map(({ event }) => event.createdAt),
        events.map(({ subscriptionIds }) => subscriptionIds.join(',')),
        events.map(({ unmatched }) => unmatched?.join(',') ?? null),
        events.map(({ event }) => event.traceparent ?? null),
      ]);
    },

    async findNextAccount(after) {
      const [row] = await database.query<{ id: string }>(NEXT_ACCOUNT, [after]);
      return row?.id;
    },

    async listOldest(accountId, limit) {
      const rows = await database.query<HeldRow>(FIRST, [accountId, limit]);
      return rows.map(
        ({ body, subscriptionIds, unmatched, requestId, traceparent, createdAt, ...event }) => ({
          event: {
            ...event,
            createdAt: createdAt.toISOString(),
            ...(requestId === null ? {} : { requestId }),
            ...(traceparent === null ? {} : { traceparent }),
          },
          body,
          subscriptionIds,
          ...(unmatched === null ? {} : { unmatched }),
        }),
      );
    },

    async remove(eventIds) {
      await database.query('DELETE FROM held_events WHERE event_id = ANY($1::text[])', [eventIds]);
    },
  };
}
