import { createHmac } from 'node:crypto';
import type { DeliveryDetail } from '@atrium/contracts/webhooks/deliveries';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
// Otherwise each test's events would also go to the receivers of earlier tests.
afterEach(() => harness.database.query('TRUNCATE subscriptions, undelivered'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const startedMs = ({ attempts }: DeliveryDetail) => Date.parse(attempts[0]?.startedAt ?? '');
const inState = (id: string, state: string) =>
  until(async () => {
    const delivery = await harness.deliveryOf(id);
    return delivery?.state === state && delivery;
  });

describe('a delivery', () => {
  it('arrives signed and byte for byte as it is stored', async () => {
    await using receiver = await startReceiver({
      respond: () => ({ status: 200, body: 'thanks' }),
    });
    await using _worker = await harness.startWorker();
    const { id, secret } = await harness.subscribe(`${receiver.url}/hook?a=1`);
    const event = harness.event();
    await harness.send([event]);
    const [request] = await receiver.waitFor(1);
    const delivery = await inState(id, 'delivered');
    const text = request?.rawBody.toString() ?? '';
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1' });
    expect(text).toBe(delivery.body);
    expect(JSON.parse(text)).toEqual({
      id: event.id,
      event: 'note.shared',
      createdAt: event.createdAt,
      data: event.data,
    });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Atrium-Webhooks/1',
      'service-signature': createHmac('sha256', secret).update(text).digest('hex'),
      'service-event': 'note.shared',
      'service-delivery': delivery.id,
    });
    const headers = request?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(text, headers)).not.toThrow();
    expect(delivery).toMatchObject({ attemptCount: 1, nextAttemptAt: null, eventId: event.id });
    expect(delivery.attempts).toEqual([
      {
        id: expect.stringMatching(/^att_/),
        number: 1,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        status: 200,
        error: null,
        responseHeaders: null,
        responseExcerpt: 'thanks',
      },
    ]);
  });

  it('is exhausted after five failed attempts', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 500, body: 'a\0b' }) });
    await using _worker = await harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    const delivery = await inState(id, 'exhausted');
    expect(delivery).toMatchObject({ attemptCount: 5, nextAttemptAt: null });
    expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    const processed = await harness.call('/api/internal/webhooks/process', {
      method: 'POST',
      headers: { 'x-cron-secret': 'a cron secret for tests' },
    });
    expect(processed).toEqual({ status: 202, body: { enqueued: 0 } });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.requests).toHaveLength(5);
    expect(new Set(receiver.requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
  });

  it('fails on a redirect without following it, and waits for its next attempt', async () => {
    await using receiver = await startReceiver({
      respond: () => ({ status: 307, headers: { location: '/elsewhere' } }),
    });
    await using _worker = await harness.startWorker({ WEBHOOK_RETRY_DELAYS_MS: [60_000, 1, 1, 1] });
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    const delivery = await inState(id, 'failed');
    // A minute ±20 %, counted from the end of the attempt, which lies between its start and now.
    const nextMs = Date.parse(delivery.nextAttemptAt ?? '');
    expect(nextMs - startedMs(delivery)).toBeGreaterThanOrEqual(48_000);
    expect(nextMs - Date.now()).toBeLessThanOrEqual(72_000);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/']);
  });

  it('waits for Retry-After when that is later than the schedule', async () => {
    await using receiver = await startReceiver({
      respond: () => ({ status: 429, headers: { 'retry-after': '600' } }),
    });
    await using _worker = await harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    const delivery = await inState(id, 'failed');
    const waitMs = Date.parse(delivery.nextAttemptAt ?? '') - startedMs(delivery);
    expect(waitMs).toBeGreaterThanOrEqual(600_000);
  });

  it('fails when the response is not complete by the deadline', async () => {
    await using receiver = await startReceiver({
      respond: () => ({ status: 200, delayMs: 5_000 }),
    });
    await using _worker = await harness.startWorker({
      WEBHOOK_TIMEOUT_MS: 200,
      WEBHOOK_RETRY_DELAYS_MS: [9e5, 1, 1, 1],
    });
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    const { attempts } = await inState(id, 'failed');
    expect(attempts[0]).toMatchObject({ status: null, error: 'No complete answer within 200 ms' });
  });

  it('disables its subscription when the endpoint answers 410, until the owner enables it', async () => {
    let status = 410;
    await using receiver = await startReceiver({ respond: () => ({ status }) });
    await using _worker = await harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    expect(await inState(id, 'exhausted')).toMatchObject({ attemptCount: 1 });
    const subscription = async () => (await harness.call(`/api/webhooks/${id}`)).body;
    await until(async () => (await subscription()).enabled === false);
    expect(await subscription()).toMatchObject({
      disabledReason: 'The endpoint answered 410 Gone',
    });
    status = 204;
    const patch = { method: 'PATCH' as const, body: { enabled: true } };
    expect((await harness.call(`/api/webhooks/${id}`, patch)).body.disabledReason).toBeNull();
    await harness.send([harness.event()]);
    await inState(id, 'delivered');
  });
});
