import { limitsOf } from '@atrium/contracts/plan-limits';
import type { Database } from '../database.ts';

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

const OVER = `
  SELECT account_id AS id, ($1::jsonb ->> plan)::float8 AS max, click_count::float8 AS seen FROM owners
  WHERE click_count > ($1::jsonb ->> plan)::bigint`;

const COUNT = 'SELECT count(*)::float8 AS stored FROM clicks WHERE owner_id = $1';

/** Raw: the oldest first. */
const TRIM = `
  DELETE FROM clicks WHERE id = ANY (ARRAY(
    SELECT id FROM clicks WHERE owner_id = $1 ORDER BY clicked_at LIMIT $2
  )) RETURNING id`;

/** What was stored meanwhile stays counted. */
const CORRECT = 'UPDATE owners SET click_count = click_count - $2 WHERE account_id = $1';

/** Deletes the oldest clicks of owners who have more than their plan keeps. The totals of their days stay. */
export async function trimClicks(
  database: Database,
  signal: AbortSignal,
  limits = limitsOf('singleClicks'),
): Promise<void> {
  const owners = await database.query<{ id: string; max: number; seen: number }>(OVER, [limits]);
  for (const { id, max, seen } of owners) {
    const [counted] = await database.query<{ stored: number }>(COUNT, [id]);
    let stored = counted?.stored ?? 0;
    while (stored > max) {
      signal.throwIfAborted();
      const batch = Math.min(BATCH_MAX, stored - max);
      const { length } = await database.query(TRIM, [id, batch]);
      if (length === 0) break;
      stored -= length;
    }
    await database.query(CORRECT, [id, seen - stored]);
  }
}
