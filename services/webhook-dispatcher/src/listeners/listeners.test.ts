import { createHmac } from 'node:crypto';
import type { LeasedDeliveries, LeasedDelivery } from '@atrium/contracts/webhooks/listeners';
import { until } from '@atrium/testkit/until';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { retainFor } from '../retention/retention.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
// Each has its own account: its events go to all of its listeners.
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness?.[Symbol.asyncDispose]());

const post = (path: string, body?: object, token?: string) =>
  harness.call(path, {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
const listen = async (): Promise<{ id: string; secret: string }> => {
  const body = { forwardTo: 'http://localhost:3000/hook', events: ['note.shared'] };
  return (await post('/api/listeners', body)).body;
};
const lease = async (id: string): Promise<LeasedDeliveries> =>
  (await post(`/api/listeners/${id}/lease`)).body;
/** The only delivery, as soon as it can be fetched. */
const fetchOne = (id: string): Promise<LeasedDelivery> =>
  until(async () => (await lease(id)).deliveries[0]);
const report = async ({ id, leaseId }: LeasedDelivery, status: number | null) =>
  (await post(`/api/deliveries/${id}/forwarded`, { leaseId, durationMs: 5, status })).status;

describe('a listener', () => {
  it('is not created for an event type that does not exist', async () => {
    const body = { forwardTo: 'http://localhost:3000/hook', events: ['note.shard'] };
    expect(await post('/api/listeners', body)).toMatchObject({
      status: 422,
      body: { message: 'There is no event type note.shard' },
    });
  });

  it('gets each delivery signed with its secret, and not from a worker', async () => {
    const { id, secret } = await listen();
    await using _worker = await harness.startWorker();
    const event = harness.event();
    await harness.send([event]);
    const delivery = await fetchOne(id);
    expect(JSON.parse(delivery.body)).toMatchObject({ id: event.id, event: 'note.shared' });
    expect(delivery.headers).toMatchObject({
      'Service-Event': 'note.shared',
      'Service-Delivery': delivery.id,
      'Service-Signature': createHmac('sha256', secret).update(delivery.body).digest('hex'),
    });
    expect((await lease(id)).deliveries).toEqual([]);
    expect(await report(delivery, 204)).toBe(204);
    expect(await harness.deliveryOf(id)).toMatchObject({
      state: 'delivered',
      attempts: [{ number: 1, status: 204, durationMs: 5 }],
    });
  });

  it('gets a delivery by the retry schedule until it is exhausted, and when it is resent', async () => {
    const { id } = await listen();
    await harness.ingest([harness.event()]);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const delivery = await fetchOne(id);
      expect(delivery.attempt).toBe(attempt);
      expect(await report(delivery, attempt === 1 ? null : 500)).toBe(204);
    }
    const exhausted = await harness.deliveryOf(id);
    expect(exhausted).toMatchObject({ state: 'exhausted', attemptCount: 5 });
    await post(`/api/deliveries/${exhausted?.id}/redeliver`);
    expect(await fetchOne(id)).toMatchObject({ id: exhausted?.id, attempt: 6 });
  });

  it('gets a delivery again when its lease has ended, whose report is then refused', async () => {
    const { id } = await listen();
    await harness.ingest([harness.event()]);
    const first = await fetchOne(id);
    await harness.database.query(
      `UPDATE undelivered SET leased_until = now() - interval '1 second' WHERE subscription_id = $1`,
      [id],
    );
    const second = await fetchOne(id);
    expect(second.id).toBe(first.id);
    expect(await report(first, 204)).toBe(409);
    expect(await report(second, 204)).toBe(204);
  });

  it('is shown as one, stays paused, and is not found by another account', async () => {
    const { id } = await listen();
    const { body } = await harness.call(`/api/webhooks/${id}`);
    expect(body).toMatchObject({ listener: true, paused: true, url: 'http://localhost:3000/hook' });
    const token = harness.issuer.issueToken();
    expect((await post(`/api/listeners/${id}/lease`, undefined, token)).status).toBe(404);
    expect((await post(`/api/webhooks/${id}/resume`)).status).toBe(404);
    await harness.ingest([harness.event()]);
    const delivery = await fetchOne(id);
    const forwarded = { leaseId: delivery.leaseId, durationMs: 1, status: 200 };
    const path = `/api/deliveries/${delivery.id}/forwarded`;
    expect((await post(path, forwarded, token)).status).toBe(409);
    const { id: webhookId } = await harness.subscribe('https://93.184.216.34/');
    expect((await post(`/api/listeners/${webhookId}/lease`)).status).toBe(404);
  });

  it('is deleted when it has fetched nothing for a week', async () => {
    const [unused, used] = [await listen(), await listen()];
    await harness.database.query(
      `UPDATE subscriptions SET listened_at = now() - interval '8 days' WHERE id = $1`,
      [unused.id],
    );
    await retainFor(30, harness.database);
    expect((await harness.call(`/api/webhooks/${unused.id}`)).status).toBe(404);
    expect((await harness.call(`/api/webhooks/${used.id}`)).status).toBe(200);
  });
});
