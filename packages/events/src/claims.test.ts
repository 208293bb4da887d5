import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { Claims } from './claims.ts';
import { openOutbox } from './outbox.fixture.ts';

/** An outbox with one connection for everything, so that its counters are all there when asked. */
async function openCounted() {
  const outbox = await openOutbox();
  const pool = new Pool({ connectionString: outbox.url, max: 1 });
  await pool.query('ALTER TABLE outbox SET (autovacuum_enabled = off)');
  return {
    outbox,
    pool,
    /** Rows of two queues: many that are free, and as many that wait for a later time. */
    fill: (count: number) =>
      pool.query(
        `INSERT INTO outbox (id, queue, event, account_id, data, due_at)
         SELECT 'evt_' || n, CASE WHEN n % 2 = 0 THEN 'events' ELSE 'inbox-auth' END, 'go.click',
           'usr_1', '{}', CASE WHEN n % 4 < 2 THEN now() + interval '1 hour' END
         FROM generate_series(1, $1::int) AS n`,
        [count],
      ),
    /** Buffers that the next claim reads or writes. */
    async cost(claims: Claims): Promise<number> {
      const before = await touched(pool);
      await claims.take(10);
      return (await touched(pool)) - before;
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await outbox[Symbol.asyncDispose]();
    },
  };
}

async function touched(pool: Pool): Promise<number> {
  // A connection tells what it has read only when it is idle for long, or asked.
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ blocks: string }>(
    `SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read AS blocks
     FROM pg_statio_user_tables WHERE relname = 'outbox'`,
  );
  return Number(rows[0]?.blocks);
}

test('a claim costs the same with a hundred rows waiting and with fifty thousand', async () => {
  await using few = await openCounted();
  await using many = await openCounted();
  await few.fill(800);
  await many.fill(50_000);
  const low = await few.cost(new Claims(few.pool, 'events', 30));
  expect(low).toBeGreaterThan(0);
  expect(await many.cost(new Claims(many.pool, 'events', 30))).toBeLessThan(low * 2);
});

test('a claim does not walk over what a long transaction keeps from being cleaned away', async () => {
  await using counted = await openCounted();
  const { outbox, pool } = counted;
  await counted.fill(60_000);
  const reader = await outbox.pool.connect();
  try {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM outbox LIMIT 1');
    // Time stands still: after a second a claim looks back over everything once.
    const claims = new Claims(pool, 'events', 30, () => 0);
    const first = await counted.cost(claims);
    for (let i = 0; i < 100; i++) {
      const { claims: taken } = await claims.take(100);
      for (const claim of taken) await claims.remove(claim.seqs);
    }
    expect(await counted.cost(claims)).toBeLessThan(first * 2);
  } finally {
    await reader.query('ROLLBACK');
    reader.release();
  }
});

test('taking a row rewrites it within its page, and no index', async () => {
  await using counted = await openCounted();
  await counted.fill(400);
  await new Claims(counted.pool, 'events', 30).take(50);
  await touched(counted.pool);
  const { rows } = await counted.pool.query(
    `SELECT n_tup_upd::int AS updated, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables
     WHERE relname = 'outbox'`,
  );
  expect(rows).toEqual([{ updated: 50, hot: 50 }]);
});
