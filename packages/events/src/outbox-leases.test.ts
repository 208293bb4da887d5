import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { OutboxLeases } from './outbox-leases.ts';
import { openOutbox } from './outbox.fixture.ts';

/** An outbox with one connection for everything, so that its counters are all there when asked. */
async function openCounted() {
  const outbox = await openOutbox();
  const pool = new Pool({ connectionString: outbox.url, max: 1 });
  // Dropping the database at the end may cut a connection that is still closing.
  pool.on('error', () => undefined);
  await pool.query('ALTER TABLE outbox SET (autovacuum_enabled = off)');
  return {
    outbox,
    pool,
    /** Rows of two queues, half of them due later. */
    fill: (count: number) =>
      pool.query(
        `INSERT INTO outbox (id, queue, event, account_id, data, due_at)
         SELECT 'evt_' || n, CASE WHEN n % 2 = 0 THEN 'events' ELSE 'inbox-auth' END, 'go.click',
           'usr_1', '{}', CASE WHEN n % 4 < 2 THEN now() + interval '1 hour' END
         FROM generate_series(1, $1::int) AS n`,
        [count],
      ),
    /** Buffers that the next lease reads or writes. */
    async cost(leases: OutboxLeases): Promise<number> {
      const before = await touched(pool);
      await leases.lease(10);
      return (await touched(pool)) - before;
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await outbox[Symbol.asyncDispose]();
    },
  };
}

async function touched(pool: Pool): Promise<number> {
  // A connection reports what it has read only after a while, or when asked.
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ blocks: string }>(
    `SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read AS blocks
     FROM pg_statio_user_tables WHERE relname = 'outbox'`,
  );
  return Number(rows[0]?.blocks);
}

test('leasing costs the same with a hundred waiting rows and with fifty thousand', async () => {
  await using few = await openCounted();
  await using many = await openCounted();
  await few.fill(800);
  await many.fill(50_000);
  const low = await few.cost(new OutboxLeases(few.pool, 'events', 30));
  expect(low).toBeGreaterThan(0);
  expect(await many.cost(new OutboxLeases(many.pool, 'events', 30))).toBeLessThan(low * 2);
});

test('leasing does not read the dead rows that a long transaction keeps from vacuum', async () => {
  await using counted = await openCounted();
  const { outbox, pool } = counted;
  await counted.fill(60_000);
  const reader = await outbox.pool.connect();
  try {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM outbox LIMIT 1');
    // The clock stands still: the full read once a second does not happen.
    const leases = new OutboxLeases(pool, 'events', 30, () => 0);
    const first = await counted.cost(leases);
    for (let i = 0; i < 100; i++) {
      const { batches } = await leases.lease(100);
      for (const batch of batches) await leases.remove(batch.seqs);
    }
    expect(await counted.cost(leases)).toBeLessThan(first * 2);
  } finally {
    await reader.query('ROLLBACK');
    reader.release();
  }
});

test('leasing a row is a heap-only update', async () => {
  await using counted = await openCounted();
  await counted.fill(400);
  await new OutboxLeases(counted.pool, 'events', 30).lease(50);
  await touched(counted.pool);
  const { rows } = await counted.pool.query(
    `SELECT n_tup_upd::int AS updated, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables
     WHERE relname = 'outbox'`,
  );
  expect(rows).toEqual([{ updated: 50, hot: 50 }]);
});

test('leases do not overlap, only their holder can extend them, and expired ones are taken over', async () => {
  await using outbox = await openOutbox();
  await outbox.append(25);
  const expired = new OutboxLeases(outbox.pool, 'events', 30);
  const running = new OutboxLeases(outbox.pool, 'events', 30);
  const leaseFrom = async (leases: OutboxLeases, limit: number) =>
    (await leases.lease(limit)).batches[0];
  const [first, second] = await Promise.all([leaseFrom(expired, 10), leaseFrom(running, 10)]);
  expect(first?.seqs).toHaveLength(10);
  expect(second?.seqs).toHaveLength(10);
  expect(new Set([...(first?.seqs ?? []), ...(second?.seqs ?? [])]).size).toBe(20);
  await outbox.pool.query(
    `UPDATE outbox SET leased_until = now() - interval '1 second' WHERE seq = ANY($1::bigint[])`,
    [first?.seqs],
  );
  const takenOver = await leaseFrom(new OutboxLeases(outbox.pool, 'events', 30), 100);
  expect(takenOver?.seqs).toHaveLength(15);
  expect(takenOver?.seqs).toEqual(expect.arrayContaining(first?.seqs ?? []));
  expect(first && (await expired.extend(first))).toBeNull();
  expect(second && (await running.extend(second))).not.toBeNull();
});

test('a lease ends with half a megabyte of data, and says that there is more', async () => {
  await using outbox = await openOutbox();
  await outbox.pool.query(
    `INSERT INTO outbox (id, event, account_id, data)
     SELECT 'evt_' || n, 'go.click', 'usr_1', to_json(repeat('x', 200000)) FROM generate_series(1, 8) AS n`,
  );
  const leases = new OutboxLeases(outbox.pool, 'events', 30, () => 0);
  const taken: [rows: number, isFull: boolean][] = [];
  while (taken.length < 4) {
    const { batches, isFull } = await leases.lease(100);
    taken.push([batches.flatMap(({ seqs }) => seqs).length, isFull]);
  }
  expect(taken).toEqual([
    [3, true],
    [3, true],
    [2, false],
    [0, false],
  ]);
});
