import { startReceiver } from '@atrium/testkit/receiver';
import { untilBlocked } from '@atrium/testkit/locks';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
// Every test's events would also go to the receivers of the tests before it.
afterEach(() => harness.database.query('DELETE FROM subscriptions'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const post = (path: string, body?: object, token?: string) =>
  harness.call(path, { method: 'POST', ...(body && { body }), ...(token && { token }) });
const patch = (id: string, body: object) =>
  harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body });
const URL = 'https://93.184.216.34/hook';
const settled = (id: string, state: string) =>
  until(async () => {
    const delivery = await harness.deliveryOf(id);
    return delivery?.state === state && delivery;
  });

describe('custom headers', () => {
  it('are sent with every delivery, never shown again and stored encrypted', async () => {
    await using receiver = await startReceiver();
    await using _worker = await harness.startWorker();
    const headers = { Authorization: 'Bearer sesame', 'X-Team': 'blue' };
    const input = { url: receiver.url, events: ['note.shared'], headers };
    const { body: created } = await post('/api/webhooks', input);
    expect(created.headerNames).toEqual(['Authorization', 'X-Team']);
    expect(JSON.stringify(created)).not.toContain('sesame');
    const stored = await harness.database.query('SELECT * FROM subscriptions');
    expect(JSON.stringify(stored)).not.toContain('sesame');
    await harness.send([harness.event()]);
    const [request] = await receiver.waitFor(1);
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sesame', 'x-team': 'blue' });
    await settled(created.id, 'delivered');
  });

  it('are replaced as a whole', async () => {
    const { id } = await harness.subscribe(URL);
    const names = async (headers: object) => (await patch(id, { headers })).body.headerNames;
    expect(await names({ 'X-A': '1', 'X-B': '2' })).toEqual(['X-A', 'X-B']);
    expect(await names({ 'X-C': '3' })).toEqual(['X-C']);
    expect((await patch(id, { description: 'team' })).body).toMatchObject({
      description: 'team',
      headerNames: ['X-C'],
    });
    expect((await patch(id, { headers: { Host: 'x' } })).status).toBe(422);
    expect(await names({})).toEqual([]);
  });
});

describe('custom headers of a subscription whose URL changes', () => {
  const headers = { Authorization: 'Bearer sesame' };
  const subscribeTo = async (url: string) =>
    (await post('/api/webhooks', { url, events: ['note.shared'], headers })).body.id;
  const refused = {
    status: 422,
    body: {
      error: 'Validation Error',
      message: 'Headers must be sent again when url changes its scheme, host or port',
    },
  };

  it.each([
    ['host', 'https://8.8.8.8/hook'],
    ['port', 'https://93.184.216.34:8443/hook'],
    ['scheme', 'http://93.184.216.34/hook'],
  ])('must be sent again with another %s', async (_part, url) => {
    const id = await subscribeTo(URL);
    expect(await patch(id, { url })).toEqual(refused);
    expect((await harness.call(`/api/webhooks/${id}`)).body.url).toBe(URL);
    expect((await patch(id, { url, headers: {} })).body).toMatchObject({ url, headerNames: [] });
    expect((await patch(id, { url: URL })).status).toBe(200);
  });

  it('stay when only the path or the notation changes', async () => {
    const id = await subscribeTo(URL);
    const url = 'HTTPS://93.184.216.34:443/other';
    const changed = await patch(id, { url });
    expect(changed.body).toMatchObject({ url, headerNames: ['Authorization'] });
  });

  it('reach no other receiver by a test event or a redelivery', async () => {
    await using old = await startReceiver();
    await using next = await startReceiver();
    await using _worker = await harness.startWorker();
    const id = await subscribeTo(old.url);
    expect(await patch(id, { url: next.url })).toEqual(refused);
    const { body } = await post(`/api/webhooks/${id}/test`, { event: 'note.shared' });
    const [request] = await old.waitFor(1);
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sesame' });
    await settled(id, 'delivered');
    await patch(id, { url: next.url, headers: {} });
    await post(`/api/deliveries/${body.deliveryId}/redeliver`);
    const [redelivered] = await next.waitFor(1);
    expect(redelivered?.headers).not.toHaveProperty('authorization');
    await settled(id, 'delivered');
  });

  it('cannot be set while a request moves the URL away', async () => {
    const { id } = await harness.subscribe(URL);
    const url = 'https://8.8.8.8/hook';
    const locked = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const setting = harness.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query(`UPDATE subscriptions SET sealed_headers = 'sealed' WHERE id = $1`, [id]);
      locked.resolve();
      await asked.promise;
    });
    await locked.promise;
    const moving = patch(id, { url });
    await untilBlocked(harness.database);
    asked.resolve();
    await setting;
    expect(await moving).toEqual(refused);
  });
});

it('sets and removes a rate limit', async () => {
  const { id } = await harness.subscribe(URL);
  const change = async (rateLimitPerSecond: unknown) =>
    (await patch(id, { rateLimitPerSecond })).body.rateLimitPerSecond;
  expect(await change(50)).toBe(50);
  expect(await change(null)).toBeNull();
});

it('keeps deliveries of a paused subscription and sends them when it is resumed', async () => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  await using _worker = await harness.startWorker();
  const { id } = await harness.subscribe(receiver.url);
  await harness.subscribe(other.url);
  expect((await post(`/api/webhooks/${id}/pause`)).body).toMatchObject({ id, paused: true });
  await harness.send([harness.event()]);
  await other.waitFor(1);
  expect(await harness.deliveryOf(id)).toMatchObject({ state: 'pending', attemptCount: 0 });
  expect(receiver.requests).toHaveLength(0);
  expect((await post(`/api/webhooks/${id}/resume`)).body).toMatchObject({ id, paused: false });
  await receiver.waitFor(1);
  await settled(id, 'delivered');
  expect((await patch(id, { paused: true })).body.paused).toBe(true);
});

it('clears failingSince when a subscription is enabled', async () => {
  const { id } = await harness.subscribe(URL);
  const failingSince = '2026-01-31T09:30:00.000Z';
  await harness.database.query(
    `UPDATE subscriptions SET enabled = false, disabled_reason = 'x', failing_since = $1`,
    [failingSince],
  );
  const { body } = await harness.call(`/api/webhooks/${id}`);
  expect(body).toMatchObject({ enabled: false, disabledReason: 'x', failingSince });
  expect((await patch(id, { enabled: true })).body).toMatchObject({
    enabled: true,
    disabledReason: null,
    failingSince: null,
  });
});

it('clears failingSince when deliveries go elsewhere, and not when they go where they went', async () => {
  const { id } = await harness.subscribe(URL);
  const failingSince = '2026-01-31T09:30:00.000Z';
  const changed = async (body: object) => {
    await harness.database.query('UPDATE subscriptions SET failing_since = $1', [failingSince]);
    return (await patch(id, body)).body.failingSince;
  };
  expect(await changed({ url: URL, description: 'the same' })).toBe(failingSince);
  expect(await changed({ url: `${URL}corrected` })).toBeNull();
  expect(await changed({ destination: { kind: 'http' } })).toBeNull();
});
