import { INBOX } from '@atrium/contracts/queues';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { disabledWebhook, openOutbox } from './outbox.fixture.ts';
import { observeOutbox } from './outbox-metrics.ts';
import { appendMessages } from './outbox.ts';

async function valuesOf(registry: Registry, name: string) {
  const metric = await registry.getSingleMetric(name)?.get();
  return metric?.values.map(({ labels, value }) => [labels['queue'], value]);
}

test('reports nothing for an empty outbox', async () => {
  await using outbox = await openOutbox();
  const registry = new Registry();
  observeOutbox(registry, outbox.pool);
  expect(await valuesOf(registry, 'outbox_waiting')).toEqual([]);
});

test('reports how many rows wait, the age of the oldest and those set aside, by queue', async () => {
  await using outbox = await openOutbox();
  const registry = new Registry();
  observeOutbox(registry, outbox.pool);
  await outbox.append(3);
  await appendMessages(outbox.pool, [disabledWebhook(), disabledWebhook()]);
  await outbox.pool.query(
    `UPDATE outbox SET created_at = now() - interval '1 hour' WHERE seq = 1;
     UPDATE outbox SET due_at = 'infinity' WHERE seq = 5`,
  );
  const queues = ['events', INBOX.auth];
  expect(await valuesOf(registry, 'outbox_waiting')).toEqual(
    queues.map((queue, i) => [queue, 3 - 2 * i]),
  );
  expect(await valuesOf(registry, 'outbox_set_aside')).toEqual(
    queues.map((queue, i) => [queue, i]),
  );
  const [events, messages] = (await valuesOf(registry, 'outbox_oldest_seconds')) ?? [];
  expect(events?.[1]).toBeGreaterThanOrEqual(3600);
  expect(messages?.[1]).toBeLessThan(3600);
});
