import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import { idBound } from '@atrium/contracts/ids';
import { HELD_HOURS } from '@atrium/contracts/webhooks/webhooks';
import type { Database } from '../database.ts';
import { HOLDING } from '../ingestion/held-deliveries-store.ts';
import { disableSubscriptions } from '../subscriptions/disable-store.ts';
import type { FullWebhooksStore } from './full-webhooks.ts';

/** Each may make the statement read as many entries of an index as deliveries may be kept. */
const WEBHOOKS_PER_STEP = 5;
/** So many times the limit may be held within the first day, or the day after a change. */
const FIRST_DAY_FACTOR = 10;

// Raw, as the next one: a skip scan, and subqueries that stop at the oldest and at the limit. Their order keeps
// the planner to the index. OFFSET 0 keeps the order of the scan, and the scan to one step.
const FIND_HOLDING = `
  WITH RECURSIVE ${HOLDING}
  SELECT s.id, EXISTS (
    SELECT FROM held_deliveries d WHERE d.subscription_id = s.id
    ORDER BY d.subscription_id, d.event_id
    OFFSET $2::int * CASE WHEN s.updated_at < $4 AND (
      SELECT d.event_id FROM held_deliveries d WHERE d.subscription_id = s.id
      ORDER BY d.subscription_id, d.event_id LIMIT 1) < $3 THEN 1 ELSE ${FIRST_DAY_FACTOR} END - 1
    LIMIT 1) AS "isFull"
  FROM holding h CROSS JOIN LATERAL (
    SELECT id, updated_at FROM subscriptions
    WHERE id = h.subscription_id AND enabled AND NOT paused AND deleted_at IS NULL
    OFFSET 0) s
  LIMIT ${WEBHOOKS_PER_STEP}`;

// Listeners are always paused.
const FIND_PAUSED = `
  SELECT s.id, EXISTS (
    SELECT FROM undelivered u WHERE u.subscription_id = s.id AND u.due_at IS NOT NULL
    ORDER BY u.due_at OFFSET $2::int - 1 LIMIT 1) AS "isFull"
  FROM subscriptions s
  WHERE s.id > $1 AND s.paused AND s.enabled AND s.deleted_at IS NULL
  ORDER BY s.id LIMIT ${WEBHOOKS_PER_STEP}`;

/** Active webhooks, and what is held for them because they are slower than their events. */
export function createSlowWebhooksStore(
  database: Database,
  clockMs: () => number,
): FullWebhooksStore {
  return {
    findNext(afterId, deliveries) {
      const sinceMs = clockMs() - HELD_HOURS * 3_600_000;
      const values = [afterId, deliveries, idBound('evt', sinceMs), new Date(sinceMs)];
      return database.query(FIND_HOLDING, values);
    },
    disable: (ids) =>
      disableSubscriptions(database, ids, DISABLED_REASONS.slow, () => ({ paused: false })),
  };
}

/** Paused webhooks and listeners, and what waits for them. */
export function createLongPausesStore(database: Database): FullWebhooksStore {
  return {
    findNext: (afterId, deliveries) => database.query(FIND_PAUSED, [afterId, deliveries]),
    async disable(ids) {
      const { paused, unfetched } = DISABLED_REASONS;
      const ordinary = () => ({ paused: true, listenedAt: null });
      await disableSubscriptions(database, ids, paused, ordinary);
      const listeners = () => ({ listenedAt: { not: null } });
      await disableSubscriptions(database, ids, unfetched, listeners);
    },
  };
}
