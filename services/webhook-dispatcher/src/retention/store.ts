import type { Database, Sql } from '@atrium/service-kit/database';

/** What one step of a purge did. */
export interface PurgeStep {
  /** Rows of the purged kind that are gone. */
  removed: number;
  /** Where the next step goes on; null when there is nothing more to look at. */
  next: string | null;
}

/** Each purge removes a small batch of what is behind `after` and no longer needed. */
export interface RetentionStore {
  /** Deliveries made before, with their attempts. What will still be attempted is kept. */
  purgeDeliveries(after: string, beforeId: string): Promise<PurgeStep>;
  /** Events made before that no delivery needs. */
  purgeEvents(after: string, beforeId: string): Promise<PurgeStep>;
  purgeRecoveries(after: string, beforeId: string): Promise<PurgeStep>;
  /** Subscriptions deleted before, after all that belongs to them. */
  purgeDeletedSubscriptions(before: Date): Promise<PurgeStep>;
  purgeRejectedEvents(before: Date): Promise<PurgeStep>;
}

/** A delivery usually goes with one attempt, and at worst with a hundred. */
const DELIVERIES_PER_STEP = 200;
const ROWS_PER_STEP = 1_000;

// Reads along the primary key, so that what is kept is passed over once in a sweep. Here and below
// OFFSET 0 keeps the planner from hashing a whole table for a few hundred look-ups.
const LOOK_AT_DELIVERIES = `
  SELECT d.id, EXISTS (
    SELECT 1 FROM undelivered u JOIN subscriptions s ON s.id = u.subscription_id
    WHERE u.subscription_id = d.subscription_id AND u.delivery_id = d.id
      AND u.due_at IS NOT NULL AND s.enabled AND NOT s.paused OFFSET 0) AS waits
  FROM deliveries d WHERE d.id > $1 AND d.id < $2 ORDER BY d.id LIMIT ${DELIVERIES_PER_STEP}`;

// Other workers purge too, and an owner may have one sent again: theirs are stepped over. From here
// on nobody can make a delivered one due (see the redelivery).
const LOCK_DELIVERIES = `
  SELECT id, subscription_id AS "subscriptionId" FROM deliveries
  WHERE id = ANY($1::text[]) FOR UPDATE SKIP LOCKED`;

// From here on nobody can recover an exhausted one. What waits at a subscription that is disabled or
// paused is no better off: nothing will be sent for as long as it is kept.
const DELETE_WAITING = `
  DELETE FROM undelivered u USING (
    SELECT w.subscription_id, w.delivery_id
    FROM unnest($1::text[], $2::text[]) AS b (subscription_id, delivery_id)
    JOIN undelivered w USING (subscription_id, delivery_id)
    LEFT JOIN subscriptions s ON s.id = w.subscription_id
    WHERE w.due_at IS NULL OR s.id IS NULL OR NOT s.enabled OR s.paused
    FOR UPDATE OF w SKIP LOCKED) gone
  WHERE u.subscription_id = gone.subscription_id AND u.delivery_id = gone.delivery_id`;

const DELETE_DELIVERIES = `
  WITH gone AS (
    DELETE FROM deliveries d WHERE d.id = ANY($1::text[]) AND NOT EXISTS (
      SELECT 1 FROM undelivered u
      WHERE u.subscription_id = d.subscription_id AND u.delivery_id = d.id OFFSET 0)
    RETURNING d.id
  ), attempts_gone AS (
    DELETE FROM attempts a USING gone WHERE a.delivery_id = gone.id
  )
  SELECT count(*)::int AS removed FROM gone`;

const PURGE_EVENTS = `
  WITH looked_at AS MATERIALIZED (
    SELECT e.id, EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id OFFSET 0) AS used
    FROM events e WHERE e.id > $1 AND e.id < $2 ORDER BY e.id LIMIT ${ROWS_PER_STEP}
  ), gone AS (
    DELETE FROM events WHERE id IN (
      SELECT e.id FROM events e JOIN looked_at l ON l.id = e.id WHERE NOT l.used
      FOR UPDATE OF e SKIP LOCKED)
    RETURNING 1
  )
  SELECT max(id) AS next, (SELECT count(*)::int FROM gone) AS removed FROM looked_at`;

const PURGE_RECOVERIES = `
  WITH looked_at AS MATERIALIZED (
    SELECT r.id, r.completed_at FROM recoveries r
    WHERE r.id > $1 AND r.id < $2 ORDER BY r.id LIMIT ${ROWS_PER_STEP}
  ), gone AS (
    DELETE FROM recoveries WHERE id IN (
      SELECT r.id FROM recoveries r JOIN looked_at l ON l.id = r.id
      WHERE l.completed_at IS NOT NULL FOR UPDATE OF r SKIP LOCKED)
    RETURNING 1
  )
  SELECT max(id) AS next, (SELECT count(*)::int FROM gone) AS removed FROM looked_at`;

// They are rejected in the order of their numbers: when the first are not old, none is.
const PURGE_REJECTED = `
  WITH gone AS (
    DELETE FROM rejected_events WHERE seq IN (
      SELECT first.seq FROM (
        SELECT seq, rejected_at FROM rejected_events ORDER BY seq LIMIT ${ROWS_PER_STEP}
        FOR UPDATE SKIP LOCKED) first
      WHERE first.rejected_at < $1)
    RETURNING 1
  )
  SELECT count(*)::int AS removed FROM gone`;

const CLAIM_DELETED = `
  SELECT id FROM subscriptions WHERE deleted_at < $1
  ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED`;

// BETWEEN, so that the rows are read in the order of the index on both columns: for an equal the
// planner may take the primary key, and read everybody else's deliveries on the way.
const CLEAR_DELETED = `
  WITH batch AS MATERIALIZED (
    SELECT id FROM deliveries WHERE subscription_id BETWEEN $1 AND $1
    ORDER BY subscription_id, id LIMIT ${DELIVERIES_PER_STEP} FOR UPDATE SKIP LOCKED
  ), waiting_gone AS (
    DELETE FROM undelivered u USING batch b WHERE u.subscription_id = $1 AND u.delivery_id = b.id
  ), attempts_gone AS (
    DELETE FROM attempts a USING batch b WHERE a.delivery_id = b.id
  ), gone AS (
    DELETE FROM deliveries d USING batch b WHERE d.id = b.id RETURNING 1
  )
  SELECT count(*)::int AS removed FROM gone`;

const DELETE_SUBSCRIPTION = `
  WITH gone AS (
    DELETE FROM subscriptions s WHERE s.id = $1
      AND NOT EXISTS (
        SELECT 1 FROM deliveries WHERE subscription_id BETWEEN $1 AND $1
        ORDER BY subscription_id OFFSET 0)
    RETURNING s.id
  ), recoveries_gone AS (
    DELETE FROM recoveries r USING gone WHERE r.subscription_id = gone.id
  )
  SELECT count(*)::int AS removed FROM gone`;

async function removedBy(sql: Sql, text: string, values: unknown[]): Promise<number> {
  const [row] = await sql.query<{ removed: number }>(text, values);
  return row?.removed ?? 0;
}

export function createRetentionStore(database: Database): RetentionStore {
  async function walk(text: string, after: string, beforeId: string): Promise<PurgeStep> {
    const [step] = await database.query<PurgeStep>(text, [after, beforeId]);
    return step ?? { removed: 0, next: null };
  }

  return {
    async purgeDeliveries(after, beforeId) {
      const rows = await database.query<{ id: string; waits: boolean }>(LOOK_AT_DELIVERIES, [
        after,
        beforeId,
      ]);
      const next = rows.at(-1)?.id ?? null;
      const old = rows.filter(({ waits }) => !waits).map(({ id }) => id);
      if (old.length === 0) return { removed: 0, next };
      const removed = await database.transaction(async (tx) => {
        const locked = await tx.query<{ id: string; subscriptionId: string }>(LOCK_DELIVERIES, [
          old,
        ]);
        const ids = locked.map(({ id }) => id);
        await tx.query(DELETE_WAITING, [locked.map((row) => row.subscriptionId), ids]);
        return removedBy(tx, DELETE_DELIVERIES, [ids]);
      });
      return { removed, next };
    },

    purgeEvents: (after, beforeId) => walk(PURGE_EVENTS, after, beforeId),

    purgeRecoveries: (after, beforeId) => walk(PURGE_RECOVERIES, after, beforeId),

    purgeDeletedSubscriptions(before) {
      return database.transaction(async (tx) => {
        const [claimed] = await tx.query<{ id: string }>(CLAIM_DELETED, [before]);
        if (claimed === undefined) return { removed: 0, next: null };
        const cleared = await removedBy(tx, CLEAR_DELETED, [claimed.id]);
        const removed = cleared > 0 ? 0 : await removedBy(tx, DELETE_SUBSCRIPTION, [claimed.id]);
        // Without progress somebody else holds its rows: that waits for the next sweep.
        return { removed, next: cleared + removed > 0 ? claimed.id : null };
      });
    },

    async purgeRejectedEvents(before) {
      const removed = await removedBy(database, PURGE_REJECTED, [before]);
      return { removed, next: removed > 0 ? 'more' : null };
    },
  };
}
