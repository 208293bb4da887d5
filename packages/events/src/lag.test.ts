import { INBOX } from '@atrium/contracts/queues';
import { expect, test } from 'vitest';
import { outboxLag } from './lag.ts';
import { disabledWebhook, openOutbox } from './outbox.fixture.ts';
import { appendMessage } from './outbox.ts';

test('an empty outbox lags nowhere', async () => {
  await using outbox = await openOutbox();
  expect(await outboxLag(outbox.pool)).toEqual([]);
});

test('the lag of each queue: how many rows wait, how old the oldest is, how many are set aside', async () => {
  await using outbox = await openOutbox();
  await outbox.append(3);
  await appendMessage(outbox.pool, disabledWebhook());
  await appendMessage(outbox.pool, disabledWebhook());
  await outbox.pool.query(
    `UPDATE outbox SET created_at = now() - interval '1 hour' WHERE seq = 1;
     UPDATE outbox SET due_at = 'infinity' WHERE seq = 5`,
  );
  const [events, messages] = await outboxLag(outbox.pool);
  expect(events).toMatchObject({ queue: 'events', waiting: 3, setAside: 0 });
  expect(events?.oldestSeconds).toBeGreaterThanOrEqual(3600);
  expect(messages).toMatchObject({ queue: INBOX.auth, waiting: 1, setAside: 1 });
  expect(messages?.oldestSeconds).toBeLessThan(3600);
});
