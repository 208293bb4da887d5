import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import type { Database } from '../database.ts';
import { disableSubscriptions } from '../subscriptions/disable-store.ts';

export interface LongPausesStore {
  /** The next paused subscriptions by id, and whether so many deliveries wait for them. */
  findPaused(afterId: string, deliveries: number): Promise<{ id: string; isFull: boolean }[]>;
  /** Disables those that are still paused and has an email sent to their owners: both or neither. */
  disable(ids: string[]): Promise<void>;
}

/** Each may make the statement read as many entries of an index as deliveries may wait. */
const PAUSED_PER_STEP = 20;

// Raw: a subquery that stops at the limit. Its order keeps the planner to the index. Listeners are always paused.
const FIND_PAUSED = `
  SELECT s.id, EXISTS (
    SELECT FROM undelivered u WHERE u.subscription_id = s.id AND u.due_at IS NOT NULL
    ORDER BY u.due_at OFFSET $2::int - 1 LIMIT 1) AS "isFull"
  FROM subscriptions s
  WHERE s.id > $1 AND s.paused AND s.enabled AND s.deleted_at IS NULL
  ORDER BY s.id LIMIT ${PAUSED_PER_STEP}`;

export function createLongPausesStore(database: Database): LongPausesStore {
  return {
    findPaused: (afterId, deliveries) => database.query(FIND_PAUSED, [afterId, deliveries]),
    async disable(ids) {
      const { paused, unfetched } = DISABLED_REASONS;
      const ordinary = () => ({ paused: true, listenedAt: null });
      await disableSubscriptions(database, ids, paused, ordinary);
      const listeners = () => ({ listenedAt: { not: null } });
      await disableSubscriptions(database, ids, unfetched, listeners);
    },
  };
}
