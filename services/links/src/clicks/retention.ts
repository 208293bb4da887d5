import { uuidBound } from '@atrium/contracts/ids';
import { limitsOf } from '@atrium/contracts/plan-limits';
import { createPartitions, type PartitionOptions } from '@atrium/service-kit/partitions';
import type { Database } from '../database.ts';

const DAY_MS = 86_400_000;
/** Bounds a statement to a fraction of a second. */
const BATCH_MAX = 2_000;

/** Raw: a batch of what is in no other partition. */
const EXPIRE = `
  DELETE FROM clicks_default WHERE id = ANY (ARRAY(
    SELECT id FROM clicks_default WHERE id < $1 ORDER BY id LIMIT ${BATCH_MAX}
  )) RETURNING id`;

/**
 * Makes the partitions of clicks, and drops those that are older than the retention. The totals of their days stay.
 *
 * @param options.clockMs the time of the database
 */
export async function expireClicks(
  options: PartitionOptions & { database: Database; clockMs: () => number },
  signal: AbortSignal,
): Promise<void> {
  const { database, retentionDays, clockMs } = options;
  const partitions = createPartitions(database, { name: 'clicks', boundOf: uuidBound }, options);
  const nowMs = clockMs();
  const oldMs = nowMs - retentionDays * DAY_MS;
  await partitions.create(nowMs);
  await partitions.drop(oldMs);
  do signal.throwIfAborted();
  while ((await database.query(EXPIRE, [uuidBound(oldMs)])).length === BATCH_MAX);
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
