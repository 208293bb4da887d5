import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CRON_SECRET, startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
// Every test's events would also go to the receivers of the tests before it.
afterEach(() => harness.database.query('DELETE FROM subscriptions'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const process = (headers: Record<string, string>) =>
  harness.call('/api/internal/webhooks/process', { method: 'POST', headers });

describe('a worker', () => {
  it('delivers what was queued before it started', async () => {
    await using receiver = await startReceiver();
    await harness.subscribe(receiver.url);
    await harness.send([harness.event(), harness.event()]);
    await using _worker = harness.startWorker();
    expect(await receiver.waitFor(2)).toHaveLength(2);
  });

  it('shares the work with another without sending anything twice', async () => {
    await using receiver = await startReceiver();
    await using _first = harness.startWorker();
    await using _second = harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    for (let batch = 0; batch < 10; batch += 1) {
      await harness.send(Array.from({ length: 50 }, () => harness.event()));
    }
    const remaining = () =>
      harness.database.query(
        `SELECT 1 FROM deliveries WHERE subscription_id = $1 AND state <> 'delivered'`,
        [id],
      );
    await receiver.waitFor(500, 15_000);
    await until(async () => (await remaining()).length === 0);
    const ids = receiver.requests.map(({ headers }) => headers['service-delivery']);
    expect(new Set(ids).size).toBe(500);
    expect(ids).toHaveLength(500);
  });

  it('serves other endpoints while one hangs', async () => {
    await using hanging = await startReceiver({
      respond: () => ({ status: 200, delayMs: 30_000 }),
    });
    await using receiver = await startReceiver();
    await using _worker = harness.startWorker({ requestTimeoutMs: 5_000 });
    await harness.subscribe(hanging.url);
    await harness.send(Array.from({ length: 100 }, () => harness.event()));
    await hanging.waitFor(10);
    await harness.subscribe(receiver.url);
    const startMs = Date.now();
    await harness.send(Array.from({ length: 50 }, () => harness.event()));
    await receiver.waitFor(50);
    expect(Date.now() - startMs).toBeLessThan(3_000);
    expect(hanging.requests).toHaveLength(10);
  });

  it('takes over what a dead worker had leased', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    const holder = harness.startWorker();
    await harness.send([harness.event()]);
    await receiver.waitFor(1);
    await until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
    await holder[Symbol.asyncDispose]();
    await harness.database.query(
      `UPDATE deliveries SET state = 'pending', attempt_count = 1, lease_id = 'dead',
        available_at = now() WHERE subscription_id = $1`,
      [id],
    );
    await using _worker = harness.startWorker();
    await until(async () => (await harness.deliveryOf(id))?.attemptCount === 2);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('the process endpoint', () => {
  it('is opened by the cron secret alone', async () => {
    const refused = { error: 'Unauthorized', message: expect.any(String) };
    expect(await process({})).toEqual({ status: 401, body: refused });
    expect(await process({ 'x-cron-secret': `${CRON_SECRET}x` })).toMatchObject({ status: 401 });
  });

  it('answers how many deliveries are due', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    const worker = harness.startWorker({ delaysMs: [9e5, 9e5, 9e5, 9e5] });
    await harness.send([harness.event()]);
    await until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
    await worker[Symbol.asyncDispose]();
    await harness.database.query(
      `UPDATE deliveries SET state = 'failed', available_at = now() WHERE subscription_id = $1`,
      [id],
    );
    const answer = await process({ 'x-cron-secret': CRON_SECRET });
    expect(answer).toEqual({ status: 202, body: { enqueued: 1 } });
  });
});
