import type { EventEnvelope } from '@atrium/contracts/events';
import type { Sql } from '@atrium/service-kit/database';
import type { NewEvent } from './store.ts';

// All SQL here is raw: it is part of the measured path of ingestion, or walks an index by skips.

/** An event that waits, with the subscriptions that asked for it when it arrived. */
export interface HeldEvent extends NewEvent {
  subscriptionIds: readonly string[];
}

export interface HeldEventsStore {
  /** Those of these accounts whose new events must wait: a full backlog, or others that wait already. */
  findFullAccounts(accountIds: readonly string[]): Promise<Set<string>>;
  /** Keeps events in this order. One that is kept already stays where it is. */
  hold(events: readonly HeldEvent[]): Promise<void>;
  /** The next account after this one with events that wait; undefined after the last. */
  nextAccount(after: string): Promise<string | undefined>;
  /** Whether the backlog of an account is full. */
  isFull(accountId: string): Promise<boolean>;
  /** The oldest events of an account. */
  first(accountId: string, limit: number): Promise<HeldEvent[]>;
  remove(eventIds: readonly string[]): Promise<void>;
}

/** Disabled and paused subscriptions do not count: their deliveries keep no worker busy. */
const isFull = (account: string, budget: string) => `
  (SELECT count(*) FROM (
    SELECT 1 FROM subscriptions s CROSS JOIN LATERAL (
      SELECT 1 FROM undelivered u
      WHERE u.subscription_id = s.id AND u.due_at IS NOT NULL LIMIT ${budget}) waiting
    WHERE s.account_id = ${account} AND s.enabled AND NOT s.paused AND s.deleted_at IS NULL
    LIMIT ${budget}) counted) >= ${budget}`;

const FULL_ACCOUNTS = `
  SELECT a.id FROM unnest($1::text[]) AS a (id)
  WHERE EXISTS (SELECT 1 FROM held_events h WHERE h.account_id = a.id)
    OR ${isFull('a.id', '$2::int')}`;

const HOLD = `
  INSERT INTO held_events (event_id, event, account_id, body, request_id, created_at, subscription_ids)
  SELECT id, event, account_id, body, request_id, created_at, string_to_array(subscription_ids, ',')
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
    $7::text[]) WITH ORDINALITY
    AS e (id, event, account_id, body, request_id, created_at, subscription_ids, position)
  ORDER BY position
  ON CONFLICT (event_id) DO NOTHING`;

const NEXT_ACCOUNT = `
  SELECT account_id AS id FROM held_events WHERE account_id > $1 ORDER BY account_id LIMIT 1`;

const FIRST = `
  SELECT event_id AS id, event, account_id AS "accountId", body, request_id AS "requestId",
    created_at AS "createdAt", subscription_ids AS "subscriptionIds"
  FROM held_events WHERE account_id = $1 ORDER BY seq LIMIT $2::int`;

interface HeldRow {
  id: string;
  event: EventEnvelope['event'];
  accountId: string;
  body: string;
  requestId: string | null;
  createdAt: Date;
  subscriptionIds: string[];
}

/** @param budget deliveries of one account that may wait in the queue of deliveries */
export function createHeldEventsStore(database: Sql, budget: number): HeldEventsStore {
  return {
    async findFullAccounts(accountIds) {
      const rows = await database.query<{ id: string }>(FULL_ACCOUNTS, [accountIds, budget]);
      return new Set(rows.map(({ id }) => id));
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
      ]);
    },

    async nextAccount(after) {
      const [row] = await database.query<{ id: string }>(NEXT_ACCOUNT, [after]);
      return row?.id;
    },

    async isFull(accountId) {
      const text = `SELECT ${isFull('$1', '$2::int')} AS "isFull"`;
      const [row] = await database.query<{ isFull: boolean }>(text, [accountId, budget]);
      return row?.isFull === true;
    },

    async first(accountId, limit) {
      const rows = await database.query<HeldRow>(FIRST, [accountId, limit]);
      return rows.map(({ body, subscriptionIds, requestId, createdAt, ...event }) => ({
        event: {
          ...event,
          createdAt: createdAt.toISOString(),
          ...(requestId === null ? {} : { requestId }),
        },
        body,
        subscriptionIds,
      }));
    },

    async remove(eventIds) {
      await database.query('DELETE FROM held_events WHERE event_id = ANY($1::text[])', [eventIds]);
    },
  };
}
