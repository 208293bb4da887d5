import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import { INBOX } from '@atrium/contracts/queues';
import { PAUSED_DELIVERIES_MAX } from '@atrium/contracts/webhooks/webhooks';
import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { createLongPausesStore, type LongPausesStore } from './long-pauses-store.ts';
import { disableLongPauses } from './long-pauses.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const MAX = 3;
const post = (id: string, action: string) =>
  harness.call(`/api/webhooks/${id}/${action}`, { method: 'POST' });
const subscription = async (id: string) => (await harness.call(`/api/webhooks/${id}`)).body;
const ingest = (count: number) =>
  harness.ingest(Array.from({ length: count }, () => harness.event()));

const check = (store: Partial<LongPausesStore> = {}) =>
  disableLongPauses(
    {
      store: { ...createLongPausesStore(harness.database), ...store },
      pausedDeliveriesMax: MAX,
      logger: createLogger({ service: 'test', level: 'silent' }),
    },
    new AbortController().signal,
  );

it('disables a paused subscription when too many deliveries wait, and sends all of them later', async () => {
  await using receiver = await startReceiver();
  const { id } = await harness.subscribe(receiver.url);
  const { id: active } = await harness.subscribe(receiver.url);
  await post(id, 'pause');
  await ingest(MAX - 1);
  await check();
  expect(await subscription(id)).toMatchObject({ enabled: true, paused: true });

  await ingest(1);
  await check();
  const disabledReason = DISABLED_REASONS.paused;
  expect(await subscription(id)).toMatchObject({ enabled: false, paused: true, disabledReason });
  expect(await subscription(active)).toMatchObject({ enabled: true });
  const messages = 'SELECT queue, event, data FROM outbox';
  const data = { webhookId: id, url: receiver.url, reason: disabledReason };
  expect(await harness.database.query(messages)).toEqual([
    { queue: INBOX.auth, event: 'webhook.disabled', data },
  ]);

  await ingest(1);
  await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: true } });
  await post(id, 'resume');
  await using _worker = await harness.startWorker();
  await until(async () => (await harness.database.query('SELECT FROM undelivered')).length === 0);
  expect(receiver.requests).toHaveLength(2 * MAX + 1);
});

it('names the limit in the reason', () => {
  expect(DISABLED_REASONS.paused).toContain(PAUSED_DELIVERIES_MAX.toLocaleString('en'));
});

it('leaves a subscription alone that is resumed meanwhile', async () => {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await post(id, 'pause');
  await ingest(MAX);
  await check({
    async disable(ids, reason) {
      await post(id, 'resume');
      await createLongPausesStore(harness.database).disable(ids, reason);
    },
  });
  expect(await subscription(id)).toMatchObject({ enabled: true, paused: false });
});

it('leaves a listener alone, which is paused because a command fetches its deliveries', async () => {
  const body = { forwardTo: 'http://localhost:3000/hook', events: ['note.shared'] };
  const { id } = (await harness.call('/api/listeners', { method: 'POST', body })).body;
  await ingest(MAX);
  await check();
  expect(await subscription(id)).toMatchObject({ enabled: true, paused: true });
  expect((await harness.call(`/api/listeners/${id}/lease`, { method: 'POST' })).status).toBe(200);
});

it('goes on with those that follow in the next step', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 21; n += 1) {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    await post(id, 'pause');
    ids.push(id);
  }
  await ingest(MAX);
  await check();
  for (const id of ids) expect(await subscription(id)).toMatchObject({ enabled: false });
});
