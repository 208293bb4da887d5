import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import { HELD_DELIVERIES_MAX } from '@atrium/contracts/webhooks/webhooks';
import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { ingestBatch } from '../ingestion/ingest.ts';
import { createSlowWebhooksStore } from './full-webhooks-store.ts';
import { disableFullWebhooks } from './full-webhooks.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const BACKLOG = 2;
const MAX = 3;
const HOUR_MS = 3_600_000;
const subscription = async (id: string) => (await harness.call(`/api/webhooks/${id}`)).body;
const ingest = async (count: number) => {
  const deps = { ...harness.ingestDeps(), accountBacklogMax: BACKLOG, random: () => 0 };
  const events = Array.from({ length: count }, () => harness.event());
  await ingestBatch({ events }, deps);
};
/** @param heldForMs how long the oldest deliveries are held by then */
const check = (heldForMs = 25 * HOUR_MS) =>
  disableFullWebhooks(
    {
      store: createSlowWebhooksStore(harness.database, () => Date.now() + heldForMs),
      deliveriesMax: MAX,
      logger: createLogger({ service: 'test', level: 'silent' }),
    },
    new AbortController().signal,
  );

it('disables a webhook for which too many deliveries are held, and loses none of them', async () => {
  await using receiver = await startReceiver();
  const { id } = await harness.subscribe(receiver.url);
  await ingest(BACKLOG);
  await ingest(MAX - 1);
  await check();
  expect(await subscription(id)).toMatchObject({ enabled: true });

  await ingest(1);
  await check();
  const disabledReason = DISABLED_REASONS.slow;
  expect(await subscription(id)).toMatchObject({ enabled: false, disabledReason });
  expect(await harness.database.query('SELECT event, data FROM outbox')).toEqual([
    {
      event: 'webhook.disabled',
      data: { webhookId: id, url: receiver.url, reason: disabledReason },
    },
  ]);

  await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: true } });
  await using _worker = await harness.startWorker();
  expect(await receiver.waitFor(BACKLOG + MAX)).toHaveLength(BACKLOG + MAX);
});

it('keeps a webhook enabled that was down for less than a day, however much is held for it', async () => {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await ingest(BACKLOG);
  await ingest(MAX);
  await check(23 * HOUR_MS);
  expect(await subscription(id)).toMatchObject({ enabled: true });
  await check();
  expect(await subscription(id)).toMatchObject({ enabled: false });
});

it('gives a webhook that was enabled again a day to catch up', async () => {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await ingest(BACKLOG);
  await ingest(MAX);
  await harness.database.query(
    `UPDATE held_deliveries SET event_id = replace(event_id, 'evt_0', 'evt_00') WHERE subscription_id = $1`,
    [id],
  );
  await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: true } });
  await check(23 * HOUR_MS);
  expect(await subscription(id)).toMatchObject({ enabled: true });
  await check();
  expect(await subscription(id)).toMatchObject({ enabled: false });
});

it('keeps no webhook enabled for which ten times as much is held, however young or changed', async () => {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await ingest(BACKLOG);
  await ingest(10 * MAX - 1);
  await check(0);
  expect(await subscription(id)).toMatchObject({ enabled: true });
  await ingest(1);
  await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: {} });
  await check(0);
  expect(await subscription(id)).toMatchObject({ enabled: false });
});

it('goes on with those that follow in the next step', async () => {
  await harness.database.query('TRUNCATE subscriptions, undelivered, held_deliveries');
  const slow = await Promise.all(
    Array.from({ length: 21 }, () => harness.subscribe('https://93.184.216.34/')),
  );
  await harness.database.query(
    `INSERT INTO held_deliveries (subscription_id, event_id, event)
     SELECT id, 'evt_0' || n, 'note.shared' FROM subscriptions, generate_series(1, $1::int) n`,
    [MAX],
  );
  await check();
  for (const { id } of slow) expect(await subscription(id)).toMatchObject({ enabled: false });
});

it('names the limit in the reason', () => {
  expect(DISABLED_REASONS.slow).toContain(HELD_DELIVERIES_MAX.toLocaleString('en'));
});
