import type { Sql } from '@atrium/service-kit/database';

// All SQL here is raw: limited counts, skip scans, and locks.

/** What waits for the active subscriptions of an account. */
export interface Backlog {
  /** For all of them, counted up to the limit. */
  total: number;
  /** For each, counted up to its equal share of the limit. */
  bySubscription: ReadonlyMap<string, number>;
}

/** A subscription for which deliveries are held. */
export interface HoldingSubscription {
  id: string;
  accountId: string;
}

export interface Admitted {
  /** How many are held no more. */
  removed: number;
  /** Those that did not exist already. */
  deliveryIds: string[];
}

export interface HeldDeliveriesStore {
  /** @param max the limit of an account */
  countBacklog(accountId: string, max: number): Promise<Backlog>;
  /** Not those that are deleted: until they are purged they may be restored. */
  listHolding(): Promise<HoldingSubscription[]>;
  /** Makes the oldest held deliveries of a subscription, with these ids. */
  admit(subscriptionId: string, deliveryIds: readonly string[]): Promise<Admitted>;
}

// Disabled and paused subscriptions do not count: their deliveries keep no worker busy. The order
// keeps the planner to the index, also when its statistics are old. About twice the limit is read, however many
// subscriptions there are.
const COUNT_BACKLOG = `
  WITH active AS MATERIALIZED (
    SELECT id, ceil($2::float8 / count(*) OVER ())::int AS share FROM subscriptions
    WHERE account_id = $1 AND enabled AND NOT paused AND deleted_at IS NULL
  ), total AS MATERIALIZED (
    SELECT count(*)::int AS total FROM (
      SELECT FROM active a CROSS JOIN LATERAL (
        SELECT FROM undelivered u WHERE u.subscription_id = a.id AND u.due_at IS NOT NULL
        ORDER BY u.due_at LIMIT $2::int) waiting
      LIMIT $2::int) all_waiting
  )
  SELECT a.id, total, (
    SELECT count(*)::int FROM (
      SELECT FROM undelivered u WHERE u.subscription_id = a.id AND u.due_at IS NOT NULL
      ORDER BY u.due_at LIMIT a.share) waiting) AS own
  FROM active a CROSS JOIN total`;

/** A skip scan, as for leases: the ids after $1 of subscriptions for which deliveries are held, in order. */
export const HOLDING = `
  holding AS (
    (SELECT subscription_id FROM held_deliveries WHERE subscription_id > $1
     ORDER BY subscription_id LIMIT 1)
    UNION ALL
    SELECT next.subscription_id FROM holding h CROSS JOIN LATERAL (
      SELECT d.subscription_id FROM held_deliveries d WHERE d.subscription_id > h.subscription_id
      ORDER BY d.subscription_id LIMIT 1) next
  )`;

const LIST_HOLDING = `
  WITH RECURSIVE ${HOLDING}
  SELECT s.id, s.account_id AS "accountId"
  FROM holding h JOIN subscriptions s ON s.id = h.subscription_id AND s.deleted_at IS NULL`;

// One statement, so one transaction: nothing is lost or made twice by a worker that dies. An erasure
// of the account waits for the lock, or is seen here.
const ADMIT = `
  WITH live AS MATERIALIZED (
    SELECT 1 FROM subscriptions WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE
  ), batch AS MATERIALIZED (
    SELECT event_id, event FROM held_deliveries
    WHERE subscription_id = $1 AND EXISTS (SELECT FROM live)
    ORDER BY subscription_id, event_id LIMIT cardinality($2::text[]) FOR UPDATE
  ), removed AS (
    DELETE FROM held_deliveries h USING batch b
    WHERE h.subscription_id = $1 AND h.event_id = b.event_id
    RETURNING h.event_id
  ), new_deliveries AS (
    INSERT INTO deliveries (id, event_id, subscription_id, event)
    SELECT ids.id, b.event_id, $1, b.event
    FROM (SELECT *, row_number() OVER (ORDER BY event_id) AS position FROM batch) b
    JOIN unnest($2::text[]) WITH ORDINALITY AS ids (id, position) USING (position)
    ON CONFLICT (event_id, subscription_id) DO NOTHING
    RETURNING id, event_id
  ), new_undelivered AS (
    INSERT INTO undelivered (subscription_id, delivery_id, event_id)
    SELECT $1, id, event_id FROM new_deliveries
    RETURNING delivery_id
  )
  SELECT (SELECT count(*)::int FROM removed) AS removed,
    ARRAY (SELECT delivery_id FROM new_undelivered) AS "deliveryIds"`;

export function createHeldDeliveriesStore(database: Sql): HeldDeliveriesStore {
  return {
    async countBacklog(accountId, max) {
      const rows = await database.query<{ id: string; total: number; own: number }>(COUNT_BACKLOG, [
        accountId,
        max,
      ]);
      const bySubscription = new Map(rows.map(({ id, own }) => [id, own]));
      return { total: rows[0]?.total ?? 0, bySubscription };
    },

    listHolding: () => database.query<HoldingSubscription>(LIST_HOLDING, ['']),

    async admit(subscriptionId, deliveryIds) {
      const [row] = await database.query<Admitted>(ADMIT, [subscriptionId, deliveryIds]);
      return row ?? { removed: 0, deliveryIds: [] };
    },
  };
}
