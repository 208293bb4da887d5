import type { Database } from '@atrium/service-kit/database';

/** Bounds a transaction to a fraction of a second. */
const BATCH_MAX = 2_000;

/**
 * Raw: Prisma cannot move rows from one table into totals in another. Locks links in the same order as
 * storing clicks does, so that the two do not deadlock.
 */
const EXPIRE = `
  WITH expired AS (
    DELETE FROM clicks WHERE id = ANY (ARRAY(
      SELECT id FROM clicks WHERE clicked_at < now() - make_interval(days => $1)
      ORDER BY clicked_at LIMIT ${BATCH_MAX}
    ))
    RETURNING link_id, (clicked_at AT TIME ZONE 'UTC')::date AS day, is_bot
  ), totals AS (
    INSERT INTO daily_clicks (link_id, day, people, bots)
    SELECT link_id, day, count(*) FILTER (WHERE NOT is_bot), count(*) FILTER (WHERE is_bot)
    FROM expired GROUP BY link_id, day ORDER BY link_id, day
    ON CONFLICT (link_id, day) DO UPDATE
      SET people = daily_clicks.people + excluded.people, bots = daily_clicks.bots + excluded.bots
  )
  SELECT count(*)::integer AS expired FROM expired`;

/** Replaces clicks older than the retention with totals of their day. */
export async function expireClicks(
  database: Database,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  let expired = 0;
  do {
    signal.throwIfAborted();
    const [row] = await database.query<{ expired: number }>(EXPIRE, [retentionDays]);
    expired = row?.expired ?? 0;
  } while (expired === BATCH_MAX);
}
