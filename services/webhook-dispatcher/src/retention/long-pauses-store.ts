import type { Sql } from '@atrium/service-kit/database';
import { WAITING_ENDPOINTS } from '../scheduling/backlog-store.ts';

export interface LongPausesStore {
  /** Some of the paused subscriptions for which so many deliveries wait. */
  find(deliveries: number): Promise<string[]>;
}

const FOUND_MAX = 100;

// Raw: a recursive CTE. The order keeps the planner to the index, which is read no further than the limit.
const FIND = `
  WITH RECURSIVE ${WAITING_ENDPOINTS}
  SELECT s.id FROM endpoints e
  JOIN subscriptions s ON s.id = e.subscription_id
    AND s.paused AND s.enabled AND s.deleted_at IS NULL
  CROSS JOIN LATERAL (
    SELECT FROM undelivered u WHERE u.subscription_id = s.id AND u.due_at IS NOT NULL
    ORDER BY u.due_at OFFSET $1::int - 1 LIMIT 1) last
  LIMIT ${FOUND_MAX}`;

export function createLongPausesStore(database: Sql): LongPausesStore {
  return {
    async find(deliveries) {
      const rows = await database.query<{ id: string }>(FIND, [deliveries]);
      return rows.map(({ id }) => id);
    },
  };
}
