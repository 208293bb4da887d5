import type { Sql } from '@atrium/service-kit/database';
import { WAITING_ENDPOINTS } from '../scheduling/backlog-store.ts';

// All SQL here is raw: recursive and writing CTEs.

export interface BodilessDelivery {
  id: string;
  subscriptionId: string;
}

export interface MissingBodiesStore {
  /** Overdue deliveries without a body, of endpoints at which one is the next to be sent. */
  find(): Promise<BodilessDelivery[]>;
  /** Stores an attempt that says why; returns how many were exhausted. */
  exhaust(deliveries: readonly (BodilessDelivery & { attemptId: string })[]): Promise<number>;
}

const FOUND_MAX = 500;

// The first rows of an endpoint that a lease would take. OFFSET 0 keeps each lookup an index probe.
const overdue = (limit: number) => `
  SELECT u.subscription_id, u.delivery_id, u.event_id FROM undelivered u
  WHERE u.subscription_id = e.subscription_id AND u.due_at < now() - interval '1 minute'
    AND (u.leased_until IS NULL OR u.leased_until < now())
  ORDER BY u.due_at LIMIT ${limit}`;
const bodiless = (row: string) =>
  `NOT EXISTS (SELECT 1 FROM events WHERE id = ${row}.event_id OFFSET 0)`;

// Only the first row of each endpoint is read: one that has its body is sent, so that every other
// becomes the first at some time.
const FIND = `
  WITH RECURSIVE ${WAITING_ENDPOINTS}, blocked AS MATERIALIZED (
    SELECT e.subscription_id FROM endpoints e
    JOIN subscriptions s ON s.id = e.subscription_id
      AND s.enabled AND NOT s.paused AND s.deleted_at IS NULL
    CROSS JOIN LATERAL (${overdue(1)}) first
    WHERE ${bodiless('first')}
  )
  SELECT each.delivery_id AS id, each.subscription_id AS "subscriptionId"
  FROM blocked e CROSS JOIN LATERAL (${overdue(FOUND_MAX)}) each
  WHERE ${bodiless('each')}
  LIMIT ${FOUND_MAX}`;

// Checked again: another worker may have exhausted it, or the body may have been restored.
const EXHAUST = `
  WITH exhausted AS (
    UPDATE undelivered u SET due_at = NULL, lease_id = NULL, leased_until = NULL, take_overs = 0,
      attempt_count = u.attempt_count + 1
    FROM unnest($1::text[], $2::text[], $3::text[]) AS b (subscription_id, delivery_id, attempt_id)
    WHERE u.subscription_id = b.subscription_id AND u.delivery_id = b.delivery_id
      AND u.due_at IS NOT NULL AND (u.leased_until IS NULL OR u.leased_until < now())
      AND NOT EXISTS (SELECT 1 FROM events WHERE id = u.event_id OFFSET 0)
    RETURNING u.delivery_id, u.attempt_count, b.attempt_id
  ), recorded AS (
    INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, error)
    SELECT attempt_id, delivery_id, attempt_count, now(), 0, $4 FROM exhausted
  )
  SELECT count(*)::int AS count FROM exhausted`;

const REASON = 'Nothing could be sent: the body of this event is no longer stored';

export function createMissingBodiesStore(database: Sql): MissingBodiesStore {
  return {
    find: () => database.query<BodilessDelivery>(FIND),

    async exhaust(deliveries) {
      const [row] = await database.query<{ count: number }>(EXHAUST, [
        deliveries.map(({ subscriptionId }) => subscriptionId),
        deliveries.map(({ id }) => id),
        deliveries.map(({ attemptId }) => attemptId),
        REASON,
      ]);
      return row?.count ?? 0;
    },
  };
}
