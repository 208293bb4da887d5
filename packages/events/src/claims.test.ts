import { expect, test } from 'vitest';
import { Claims } from './claims.ts';
import { openOutbox, type Outbox } from './outbox.fixture.ts';

/** Rows of two queues: many that are free, and as many that wait for a later time. */
async function fill(outbox: Outbox, count: number): Promise<void> {
  await outbox.pool.query(
    `INSERT INTO outbox (id, queue, event, account_id, data, claimed_until)
     SELECT 'evt_' || n, CASE WHEN n % 2 = 0 THEN 'events' ELSE 'inbox-auth' END, 'go.click', 'usr_1',
       '{}', CASE WHEN n % 4 < 2 THEN now() + interval '1 hour' END
     FROM generate_series(1, $1::int) AS n`,
    [count],
  );
}

/** Buffers that the next claim reads or writes. */
async function cost(outbox: Outbox, claims: Claims): Promise<number> {
  const client = await outbox.pool.connect();
  try {
    const before = await touched();
    await claims.take(10);
    return (await touched()) - before;
  } finally {
    client.release();
  }

  async function touched(): Promise<number> {
    // A connection tells what it has read only when it is idle or asked.
    await outbox.pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await client.query<{ blocks: string }>(
      `SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read AS blocks
       FROM pg_statio_user_tables WHERE relname = 'outbox'`,
    );
    return Number(rows[0]?.blocks);
  }
}

test('a claim costs the same with a hundred rows waiting and with fifty thousand', async () => {
  await using few = await openOutbox();
  await using many = await openOutbox();
  await fill(few, 800);
  await fill(many, 50_000);
  const [low, high] = [
    await cost(few, new Claims(few.pool, 'events', 30)),
    await cost(many, new Claims(many.pool, 'events', 30)),
  ];
  expect(high).toBeLessThan(low * 2);
});

test('a claim does not walk over what a long transaction keeps from being cleaned away', async () => {
  await using outbox = await openOutbox();
  await fill(outbox, 60_000);
  const reader = await outbox.pool.connect();
  try {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM outbox LIMIT 1');
    const claims = new Claims(outbox.pool, 'events', 30);
    const first = await cost(outbox, claims);
    for (let i = 0; i < 100; i++) {
      const { claims: taken } = await claims.take(100);
      for (const claim of taken) await claims.remove(claim.seqs);
    }
    expect(await cost(outbox, claims)).toBeLessThan(first * 2);
  } finally {
    await reader.query('ROLLBACK');
    reader.release();
  }
});
