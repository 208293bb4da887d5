import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import { INBOX } from '@atrium/contracts/queues';
import { PAUSED_DELIVERIES_MAX } from '@atrium/contracts/webhooks/webhooks';
import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { createLongPausesStore } from './full-webhooks-store.ts';
import { disableFullWebhooks, type FullWebhooksStore } from './full-webhooks.ts';

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

const check = (store: Partial<FullWebhooksStore> = {}) =>
  disableFullWebhooks(
    {
      store: { ...createLongPausesStore(harness.database), ...store },
      deliveriesMax: MAX,
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
  const limit = PAUSED_DELIVERIES_MAX.toLocaleString('en');
  const { paused, unfetched } = DISABLED_REASONS;
  for (const reason of [paused, unfetched]) expect(reason).toContain(limit);
});

it('leaves a subscription alone that is resumed meanwhile', async () => {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await post(id, 'pause');
  await ingest(MAX);
  await check({
    async disable(ids) {
      await post(id, 'resume');
      await createLongPausesStore(harness.database).disable(ids);
    },
  });
  expect(await subscription(id)).toMatchObject({ enabled: true, paused: false });
});

describe('a listener', () => {
  const listen = async (): Promise<string> => {
    const body = { forwardTo: 'http://localhost:3000/hook', events: ['note.shared'] };
    return (await harness.call('/api/listeners', { method: 'POST', body })).body.id;
  };
  const lease = (id: string) => harness.call(`/api/listeners/${id}/lease`, { method: 'POST' });

  it('is disabled when too many of its deliveries wait, until its command enables it', async () => {
    const id = await listen();
    await ingest(MAX);
    await lease(id);
    await check();
    const disabledReason = DISABLED_REASONS.unfetched;
    expect(await subscription(id)).toMatchObject({
      enabled: false,
      listener: true,
      disabledReason,
    });
    expect((await lease(id)).status).toBe(404);
    await harness.database.query('UPDATE undelivered SET leased_until = now()');
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: true } });
    expect((await lease(id)).body.deliveries).toHaveLength(MAX);
  });

  it('goes on while it takes its deliveries', async () => {
    const id = await listen();
    for (let n = 0; n < 2; n += 1) {
      await ingest(MAX - 1);
      for (const { id: deliveryId, leaseId } of (await lease(id)).body.deliveries) {
        const body = { leaseId, durationMs: 5, status: 204 };
        await harness.call(`/api/deliveries/${deliveryId}/forwarded`, { method: 'POST', body });
      }
      await check();
    }
    await ingest(MAX - 1);
    await check();
    expect(await subscription(id)).toMatchObject({ enabled: true, listener: true });
  });
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
