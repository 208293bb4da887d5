import { expect, test } from 'vitest';
import { OutboxLeases } from './outbox-leases.ts';
import { appendEvent } from './outbox.ts';
import { click, openOutbox } from './outbox.fixture.ts';

test('stores an event only if its transaction commits', async () => {
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

test('appends an event that is leased as an envelope', async () => {
  await using outbox = await openOutbox();
  const event = { ...click(), nowMs: Date.parse('2026-01-02T03:04:05.678Z') };
  const id = await appendEvent(outbox.pool, event, { requestId: 'req-1' });
  const [batch] = (await new OutboxLeases(outbox.pool, 'events', 30).lease(100)).batches;
  expect(batch?.entries).toEqual([
    {
      id,
      event: 'go.click',
      accountId: event.accountId,
      createdAt: '2026-01-02T03:04:05.678Z',
      data: event.data,
      requestId: 'req-1',
    },
  ]);
});
