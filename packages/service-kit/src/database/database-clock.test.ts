import { createEmptyDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { until } from '@atrium/testkit/until';
import { afterAll, expect, test } from 'vitest';
import { openDatabase, type Sql } from './database.ts';
import { openDatabaseClock } from './database-clock.ts';

const HOUR_MS = 3_600_000;

const { url, ...created } = await createEmptyDatabase();
const database = openDatabase({ url, applicationName: 'clock-test', ...TEST_TIMEOUTS });
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await created[Symbol.asyncDispose]();
});

/** The database as it would be on a machine whose clock is ahead. */
function aheadBy(hours: () => number): Sql {
  return {
    query: (text, values) =>
      database.query(
        text.replace('clock_timestamp()', `clock_timestamp() + interval '${hours()} hours'`),
        values,
      ),
  };
}

test('shows the time of the database, not that of this machine', async () => {
  using clock = await openDatabaseClock(aheadBy(() => 5));
  expect(Math.abs(clock.nowMs() - Date.now() - 5 * HOUR_MS)).toBeLessThan(60_000);
  expect(Number.isInteger(clock.nowMs())).toBe(true);
});

test('follows the database when its time is corrected', async () => {
  let hours = 1;
  using clock = await openDatabaseClock(
    aheadBy(() => hours),
    { intervalMs: 10 },
  );
  hours = 3;
  await until(() => clock.nowMs() - Date.now() > 2 * HOUR_MS);
});

test('goes on while the database cannot be reached', async () => {
  let isAway = false;
  let failures = 0;
  const sql: Sql = {
    query(text, values) {
      if (!isAway) return database.query(text, values);
      failures += 1;
      return Promise.reject(new Error('connection refused'));
    },
  };
  using clock = await openDatabaseClock(sql, { intervalMs: 10 });
  const beforeMs = clock.nowMs();
  isAway = true;
  await until(() => failures >= 3);
  expect(clock.nowMs()).toBeGreaterThan(beforeMs);
});
