import { until } from './until.ts';

const WAITING = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Waits until so many statements in this database wait for a lock that another holds. */
export async function untilBlocked(
  database: { query(sql: string): Promise<unknown[]> },
  count = 1,
): Promise<void> {
  await until(async () => (await database.query(WAITING)).length >= count);
}
