import type { Database } from '@atrium/service-kit/database';

/** Bounds a statement to a fraction of a second. */
const BATCH_MAX = 2_000;

/** Raw: oldest first and by the clock of the database. */
const EXPIRE = `
  WITH expired AS (
    DELETE FROM clicks WHERE id = ANY (ARRAY(
      SELECT id FROM clicks WHERE clicked_at < now() - make_interval(days => $1)
      ORDER BY clicked_at LIMIT ${BATCH_MAX}
    ))
    RETURNING id
  )
  SELECT count(*)::integer AS expired FROM expired`;

/** Deletes clicks older than the retention. The totals of their days stay. */
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
