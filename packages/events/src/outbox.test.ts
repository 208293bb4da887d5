import { expect, test } from 'vitest';
import { Claims } from './claims.ts';
import { appendEvent, appendEventPrisma } from './outbox.ts';
import { click, openOutbox } from './outbox.fixture.ts';

test('an event is in the outbox only if its transaction commits', async () => {
  await using outbox = await openOutbox();
  const client = await outbox.pool.connect();
  await client.query('BEGIN');
  await appendEvent(client, click());
  await client.query('ROLLBACK');
  await client.query('BEGIN');
  const id = await appendEvent(client, click());
  await client.query('COMMIT');
  client.release();
  expect((await outbox.rows()).map((row) => row.id)).toEqual([id]);
});

test('Prisma and plain SQL write the same row, and a claim reads it as an envelope', async () => {
  await using outbox = await openOutbox();
  const event = { ...click(), nowMs: Date.parse('2026-01-02T03:04:05.678Z') };
  const plain = await appendEvent(outbox.pool, event);
  const prisma = await appendEventPrisma(
    {
      async $executeRaw(query, ...values) {
        const text = query.reduce((sql, part, index) => `${sql}$${index}${part}`);
        return (await outbox.pool.query(text, values)).rowCount ?? 0;
      },
    },
    event,
  );
  const [claim] = (await new Claims(outbox.pool, 'events', 30).take(100)).claims;
  const envelope = {
    event: 'go.click',
    accountId: event.accountId,
    createdAt: '2026-01-02T03:04:05.678Z',
    data: event.data,
    requestId: 'req-1',
  };
  expect(claim?.entries).toEqual([
    { id: plain, ...envelope },
    { id: prisma, ...envelope },
  ]);
});

test('claims do not overlap, can be extended by their holder only, and end', async () => {
  await using outbox = await openOutbox();
  await outbox.append(25);
  const ended = new Claims(outbox.pool, 'events', 30);
  const running = new Claims(outbox.pool, 'events', 30);
  const takeFrom = async (claims: Claims, limit: number) => (await claims.take(limit)).claims[0];
  const [first, second] = await Promise.all([takeFrom(ended, 10), takeFrom(running, 10)]);
  expect(first?.seqs).toHaveLength(10);
  expect(second?.seqs).toHaveLength(10);
  expect(new Set([...(first?.seqs ?? []), ...(second?.seqs ?? [])]).size).toBe(20);
  await outbox.pool.query(
    `UPDATE outbox SET leased_until = now() - interval '1 second' WHERE seq = ANY($1::bigint[])`,
    [first?.seqs],
  );
  const retaken = await takeFrom(new Claims(outbox.pool, 'events', 30), 100);
  expect(retaken?.seqs).toHaveLength(15);
  expect(retaken?.seqs).toEqual(expect.arrayContaining(first?.seqs ?? []));
  expect(first && (await ended.extend(first))).toBeNull();
  expect(second && (await running.extend(second))).not.toBeNull();
});
