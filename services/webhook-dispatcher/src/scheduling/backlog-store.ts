import type { Sql } from '@atrium/service-kit/database';

export interface Backlog {
  /** Deliveries that are due and not leased; at most 1,000 of each endpoint are counted. */
  due: number;
  /** How long the oldest of them has been due that waits for workers; 0 when none does. */
  oldestDueSeconds: number;
}

/** A recursive CTE, `endpoints`: all that have anything undelivered, by one index probe each. */
export const WAITING_ENDPOINTS = `endpoints AS (
    (SELECT u.subscription_id FROM undelivered u WHERE u.due_at IS NOT NULL
     ORDER BY u.subscription_id LIMIT 1)
    UNION ALL
    SELECT next.subscription_id FROM endpoints e CROSS JOIN LATERAL (
      SELECT u.subscription_id FROM undelivered u
      WHERE u.due_at IS NOT NULL AND u.subscription_id > e.subscription_id
      ORDER BY u.subscription_id LIMIT 1) next
  )`;

// Raw, since Prisma has no recursive CTEs. Per endpoint, so that what is not due is not read. More workers do not
// help an endpoint that fails, whose circuit may be open, or whose owner limits its rate.
const BACKLOG = `
  WITH RECURSIVE ${WAITING_ENDPOINTS}
  SELECT count(*)::int AS due,
    coalesce(extract(epoch FROM now() - min(waiting.due_at) FILTER (
      WHERE s.rate_limit_per_second IS NULL AND s.failing_since IS NULL
    )), 0)::float8 AS "oldestDueSeconds"
  FROM endpoints e
  JOIN subscriptions s ON s.id = e.subscription_id
    AND s.enabled AND NOT s.paused AND s.deleted_at IS NULL
  CROSS JOIN LATERAL (
    SELECT u.due_at FROM undelivered u
    WHERE u.subscription_id = e.subscription_id AND u.due_at <= now()
      AND (u.leased_until IS NULL OR u.leased_until < now())
    ORDER BY u.due_at LIMIT 1000) waiting`;

export type ReadBacklog = () => Promise<Backlog>;

export function createBacklogReader(database: Sql): ReadBacklog {
  return async () => {
    const [row] = await database.query<Backlog>(BACKLOG);
    return row ?? { due: 0, oldestDueSeconds: 0 };
  };
}
