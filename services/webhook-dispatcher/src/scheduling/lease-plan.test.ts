import { openDatabase, type Sql } from '@atrium/service-kit/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { createLeaseStore, LEASING_SETTINGS } from './lease-store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

/** Blocks of `events` that have been read so far. */
async function readBlocks(database: Sql): Promise<number> {
  // Otherwise a connection reports its reads only after it was idle for long.
  await database.query('SELECT pg_stat_force_next_flush()');
  const [row] = await database.query<{ blocks: number }>(
    `SELECT (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int AS blocks
     FROM pg_statio_user_tables WHERE relname = 'events_default'`,
  );
  return row?.blocks ?? 0;
}

it('a lease reads only the bodies that it takes when it was planned on empty tables', async () => {
  await using leasing = openDatabase({
    url: harness.databaseUrl,
    settings: LEASING_SETTINGS,
    max: 1,
    applicationName: 'test-lease',
  });
  const store = createLeaseStore(leasing, 15_000);
  const { id } = await harness.subscribe('https://93.184.216.34/');
  // All over one connection, so that its counters are complete.
  const fill = (count: number) =>
    leasing.query(
      `WITH new AS (
         INSERT INTO events (id, event, account_id, body, created_at)
         SELECT 'evt_' || n, 'note.shared', 'usr_1', repeat('x', 1000), now()
         FROM generate_series(1, $2::int) AS n RETURNING id
       )
       INSERT INTO undelivered (subscription_id, delivery_id, event_id)
       SELECT CASE WHEN id LIKE '%0' THEN $1 ELSE 'whk_' || right(id, 2) END, 'dlv_' || id, id
       FROM new`,
      [id, count],
    );
  const lease = () => store.lease({ limit: 10, bytes: 100_000, slots: new Map([[id, 10]]) });
  // Statistics of many rows, and then so few of them that any plan seems good.
  await fill(5_000);
  await leasing.query('ANALYZE events, undelivered');
  await leasing.query('TRUNCATE events, undelivered');
  await leasing.query('ALTER TABLE events_default SET (autovacuum_enabled = off)');
  expect(await lease()).toEqual([]);
  await fill(5_000);
  const before = await readBlocks(leasing);
  expect(await lease()).toHaveLength(10);
  expect((await readBlocks(leasing)) - before).toBeLessThan(200);
});
