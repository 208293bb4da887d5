import { idBound } from '@atrium/contracts/ids';
import { LISTENER_TTL_DAYS } from '@atrium/contracts/webhooks/listeners';
import type { Sql } from '@atrium/service-kit/database';
import type { PartitionedTable } from '@atrium/service-kit/partitions';
import type { Database } from '../database.ts';

// All SQL here is raw: batches with SKIP LOCKED, so that workers share a purge and never wait.

/** The result of one batch of a purge. */
export interface PurgeStep {
  /** Rows of the purged kind that were removed. */
  removed: number;
  /** Where the next batch starts; null when nothing is left to read. */
  next: string | null;
}

/** Each purge removes a small batch of what comes after `after` and is no longer needed. */
export interface RetentionStore {
  /** The clock of Postgres, in Unix milliseconds. */
  nowMs(): Promise<number>;
  /** Deletes listeners that have fetched nothing for a week, as their owner would. */
  deleteUnusedListeners(): Promise<PurgeStep>;
  /** Older deliveries, except those that will still be attempted. Their attempts are dropped later. */
  purgeDeliveries(after: string, beforeId: string): Promise<PurgeStep>;
  /** Older events without a delivery, made or held, that are in no other partition than the default one. */
  purgeEvents(after: string, beforeId: string): Promise<PurgeStep>;
  /** The ids that products gave events older than this one. */
  purgePublishedIds(beforeId: string): Promise<PurgeStep>;
  purgeRecoveries(after: string, beforeId: string): Promise<PurgeStep>;
  /** Subscriptions deleted before this time, after all that belongs to them. */
  purgeDeletedSubscriptions(before: Date): Promise<PurgeStep>;
  purgeRejectedEvents(before: Date): Promise<PurgeStep>;
}

const HOUR_MS = 3_600_000;

export const ATTEMPTS: PartitionedTable = {
  name: 'attempts',
  boundOf: (ms) => idBound('dlv', ms),
};
/** An hour earlier: an event is older than its deliveries, without which it is dropped. */
export const EVENTS: PartitionedTable = {
  name: 'events',
  boundOf: (ms) => idBound('evt', ms - HOUR_MS),
};

/** A delivery usually has one attempt, and at most a hundred. */
const DELIVERIES_PER_STEP = 200;
const ROWS_PER_STEP = 1_000;

const NOW = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`;

const DELETE_LISTENERS = `
  WITH removed AS (
    UPDATE subscriptions SET deleted_at = now(), enabled = false
    WHERE deleted_at IS NULL AND listened_at < now() - interval '${LISTENER_TTL_DAYS} days'
    RETURNING 1
  )
  SELECT count(*)::int AS removed FROM removed`;

// Reads along the primary key, so that what is kept is read once per run. Here and below OFFSET 0
// keeps the planner from hashing a whole table for a few hundred lookups.
const READ_DELIVERIES = `
  SELECT d.id, EXISTS (
    SELECT 1 FROM undelivered u JOIN subscriptions s ON s.id = u.subscription_id
    WHERE u.subscription_id = d.subscription_id AND u.delivery_id = d.id
      AND u.due_at IS NOT NULL AND s.enabled AND NOT s.paused OFFSET 0) AS waits
  FROM deliveries d WHERE d.id > $1 AND d.id < $2 ORDER BY d.id LIMIT ${DELIVERIES_PER_STEP}`;

// Skips what another worker purges or a redelivery has locked. From here on a delivered one cannot
// be made due.
const LOCK_DELIVERIES = `
  SELECT id, subscription_id AS "subscriptionId" FROM deliveries
  WHERE id = ANY($1::text[]) FOR UPDATE SKIP LOCKED`;

// From here on an exhausted one cannot be recovered. What waits for a disabled or paused subscription
// is purged too, since it is not going to be sent.
const DELETE_UNDELIVERED = `
  DELETE FROM undelivered u USING (
    SELECT w.subscription_id, w.delivery_id
    FROM unnest($1::text[], $2::text[]) AS b (subscription_id, delivery_id)
    JOIN undelivered w USING (subscription_id, delivery_id)
    LEFT JOIN subscriptions s ON s.id = w.subscription_id
    WHERE w.due_at IS NULL OR s.id IS NULL OR NOT s.enabled OR s.paused
    FOR UPDATE OF w SKIP LOCKED) removed
  WHERE u.subscription_id = removed.subscription_id AND u.delivery_id = removed.delivery_id`;

const DELETE_DELIVERIES = `
  WITH removed AS (
    DELETE FROM deliveries d WHERE d.id = ANY($1::text[]) AND NOT EXISTS (
      SELECT 1 FROM undelivered u
      WHERE u.subscription_id = d.subscription_id AND u.delivery_id = d.id OFFSET 0)
    RETURNING d.id
  ), removed_attempts AS (
    DELETE FROM attempts_default a USING removed WHERE a.delivery_id = removed.id
  )
  SELECT count(*)::int AS removed FROM removed`;

const PURGE_EVENTS = `
  WITH batch AS MATERIALIZED (
    SELECT e.id, (
      EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id OFFSET 0)
      OR EXISTS (SELECT 1 FROM held_deliveries h WHERE h.event_id = e.id OFFSET 0)) AS used
    FROM events_default e WHERE e.id > $1 AND e.id < $2 ORDER BY e.id LIMIT ${ROWS_PER_STEP}
  ), removed AS (
    DELETE FROM events_default WHERE id IN (
      SELECT e.id FROM events_default e JOIN batch l ON l.id = e.id WHERE NOT l.used
      FOR UPDATE OF e SKIP LOCKED)
    RETURNING 1
  )
  SELECT max(id) AS next, (SELECT count(*)::int FROM removed) AS removed FROM batch`;

const PURGE_PUBLISHED_IDS = `
  WITH removed AS (
    DELETE FROM published_events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM published_events WHERE event_id < $1
      ORDER BY event_id LIMIT ${ROWS_PER_STEP} FOR UPDATE SKIP LOCKED))
    RETURNING 1
  )
  SELECT count(*)::int AS removed FROM removed`;

const PURGE_RECOVERIES = `
  WITH batch AS MATERIALIZED (
    SELECT r.id, r.completed_at FROM recoveries r
    WHERE r.id > $1 AND r.id < $2 ORDER BY r.id LIMIT ${ROWS_PER_STEP}
  ), removed AS (
    DELETE FROM recoveries WHERE id IN (
      SELECT r.id FROM recoveries r JOIN batch l ON l.id = r.id
      WHERE l.completed_at IS NOT NULL FOR UPDATE OF r SKIP LOCKED)
    RETURNING 1
  )
  SELECT max(id) AS next, (SELECT count(*)::int FROM removed) AS removed FROM batch`;

// In the order of their numbers they were rejected: when the first is not old, none is.
const PURGE_REJECTED = `
  WITH removed AS (
    DELETE FROM rejected_events WHERE seq IN (
      SELECT first.seq FROM (
        SELECT seq, rejected_at FROM rejected_events ORDER BY seq LIMIT ${ROWS_PER_STEP}
        FOR UPDATE SKIP LOCKED) first
      WHERE first.rejected_at < $1)
    RETURNING 1
  )
  SELECT count(*)::int AS removed FROM removed`;

const CLAIM_DELETED = `
  SELECT id FROM subscriptions WHERE deleted_at < $1
  ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED`;

// BETWEEN keeps the planner to the index on both columns: with an equality it may read along the
// primary key, past the deliveries of all other subscriptions.
const CLEAR_DELETED = `
  WITH batch AS MATERIALIZED (
    SELECT id FROM deliveries WHERE subscription_id BETWEEN $1 AND $1
    ORDER BY subscription_id, id LIMIT ${DELIVERIES_PER_STEP} FOR UPDATE SKIP LOCKED
  ), removed_undelivered AS (
    DELETE FROM undelivered u USING batch b WHERE u.subscription_id = $1 AND u.delivery_id = b.id
  ), removed_attempts AS (
    DELETE FROM attempts a USING batch b WHERE a.delivery_id = b.id
  ), removed AS (
    DELETE FROM deliveries d USING batch b WHERE d.id = b.id RETURNING 1
  ), removed_held AS (
    DELETE FROM held_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM held_deliveries WHERE subscription_id = $1 LIMIT ${ROWS_PER_STEP}))
    RETURNING 1
  )
  SELECT count(*)::int AS removed FROM (TABLE removed UNION ALL TABLE removed_held) all_removed`;

const DELETE_SUBSCRIPTION = `
  WITH removed AS (
    DELETE FROM subscriptions s WHERE s.id = $1
      AND NOT EXISTS (
        SELECT 1 FROM deliveries WHERE subscription_id BETWEEN $1 AND $1
        ORDER BY subscription_id OFFSET 0)
    RETURNING s.id
  ), removed_recoveries AS (
    DELETE FROM recoveries r USING removed WHERE r.subscription_id = removed.id
  )
  SELECT count(*)::int AS removed FROM removed`;

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
    async nowMs() {
      const [row] = await database.query<{ nowMs: number }>(NOW);
      if (row === undefined) throw new Error('Postgres returned no time');
      return row.nowMs;
    },

    async deleteUnusedListeners() {
      return { removed: await removedBy(database, DELETE_LISTENERS, []), next: null };
    },

    async purgeDeliveries(after, beforeId) {
      const rows = await database.query<{ id: string; waits: boolean }>(READ_DELIVERIES, [
        after,
        beforeId,
      ]);
      const next = rows.at(-1)?.id ?? null;
      const old = rows.filter(({ waits }) => !waits).map(({ id }) => id);
      if (old.length === 0) return { removed: 0, next };
      const removed = await database.transaction({ job: 'purge-deliveries' }, async (tx) => {
        const locked = await tx.query<{ id: string; subscriptionId: string }>(LOCK_DELIVERIES, [
          old,
        ]);
        const ids = locked.map(({ id }) => id);
        await tx.query(DELETE_UNDELIVERED, [locked.map((row) => row.subscriptionId), ids]);
        return removedBy(tx, DELETE_DELIVERIES, [ids]);
      });
      return { removed, next };
    },

    purgeEvents: (after, beforeId) => walk(PURGE_EVENTS, after, beforeId),

    async purgePublishedIds(beforeId) {
      const removed = await removedBy(database, PURGE_PUBLISHED_IDS, [beforeId]);
      return { removed, next: removed > 0 ? 'more' : null };
    },

    purgeRecoveries: (after, beforeId) => walk(PURGE_RECOVERIES, after, beforeId),

    purgeDeletedSubscriptions(before) {
      return database.transaction({ job: 'purge-deleted-webhooks' }, async (tx) => {
        const [claimed] = await tx.query<{ id: string }>(CLAIM_DELETED, [before]);
        if (claimed === undefined) return { removed: 0, next: null };
        const cleared = await removedBy(tx, CLEAR_DELETED, [claimed.id]);
        const removed = cleared > 0 ? 0 : await removedBy(tx, DELETE_SUBSCRIPTION, [claimed.id]);
        // Without progress another worker holds its rows: the next run deals with it.
        return { removed, next: cleared + removed > 0 ? claimed.id : null };
      });
    },

    async purgeRejectedEvents(before) {
      const removed = await removedBy(database, PURGE_REJECTED, [before]);
      return { removed, next: removed > 0 ? 'more' : null };
    },
  };
}
