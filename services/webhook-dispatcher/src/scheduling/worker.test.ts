import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CRON_SECRET, startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
// Every test's events would also go to the receivers of the tests before it.
afterEach(() => harness.database.query('TRUNCATE subscriptions, undelivered, attempts'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const process = (headers: Record<string, string>) =>
  harness.call('/api/internal/webhooks/process', { method: 'POST', headers });

const unanswered = () => harness.database.query('SELECT 1 FROM attempts WHERE status IS NULL');

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
      harness.database.query('SELECT 1 FROM undelivered WHERE subscription_id = $1', [id]);
    await receiver.waitFor(500);
    await until(async () => (await remaining()).length === 0);
    const ids = receiver.requests.map(({ headers }) => headers['service-delivery']);
    expect(new Set(ids).size).toBe(500);
    expect(ids).toHaveLength(500);
  });

  it('sends what comes for an endpoint that answers without looking for it', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 204, delayMs: 500 }) });
    const { id } = await harness.subscribe(receiver.url);
    await using _worker = harness.startWorker();
    const settled = () =>
      until(async () => {
        const left = await harness.database.query(
          'SELECT 1 FROM undelivered WHERE subscription_id = $1',
          [id],
        );
        return left.length === 0;
      });
    await harness.send([harness.event()]);
    await receiver.waitFor(1);
    await settled();
    // While it is sent, its row is still the one that the intake wrote.
    const isUntouched = async () => {
      const before = receiver.requests.length;
      await harness.send([harness.event()]);
      await receiver.waitFor(before + 1);
      const [row] = await harness.database.query<{ isFirst: boolean }>(
        `SELECT u.xmin = d.xmin AND u.lease_id IS NOT NULL AS "isFirst"
         FROM undelivered u JOIN deliveries d ON d.id = u.delivery_id WHERE u.subscription_id = $1`,
        [id],
      );
      await settled();
      return row?.isFirst === true;
    };
    // A scan at the same moment may have it leased in the usual way.
    await until(isUntouched);
  });

  it('serves other endpoints while one hangs', async () => {
    await using _worker = harness.startWorker({ requestTimeoutMs: 60_000 });
    await using hanging = await startReceiver({
      respond: () => ({ status: 200, delayMs: 600_000 }),
    });
    await using receiver = await startReceiver();
    await harness.subscribe(hanging.url);
    await harness.send(Array.from({ length: 100 }, () => harness.event()));
    await hanging.waitFor(2);
    await harness.subscribe(receiver.url);
    await harness.send(Array.from({ length: 50 }, () => harness.event()));
    await receiver.waitFor(50);
    // Before the first of those that hang has reached its deadline.
    expect(await unanswered()).toEqual([]);
    expect(hanging.requests).toHaveLength(2);
  });

  it('takes over what a dead worker had leased, and counts the attempt once', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    await harness.intake([harness.event()]);
    // What is left of a worker that was killed between the answer and the write.
    await harness.database.query(
      `UPDATE undelivered SET lease_id = gen_random_uuid(), leased_until = now() - interval '1 ms'
       WHERE subscription_id = $1`,
      [id],
    );
    await using _worker = harness.startWorker();
    await until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
    expect(await harness.deliveryOf(id)).toMatchObject({
      attemptCount: 1,
      attempts: [{ number: 1, status: 204 }],
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('serves a new endpoint while more hang than it has places', async () => {
    await using _worker = harness.startWorker({ requestTimeoutMs: 60_000, concurrency: 20 });
    await using hanging = await startReceiver({
      respond: () => ({ status: 200, delayMs: 600_000 }),
    });
    await using receiver = await startReceiver();
    for (let i = 0; i < 30; i += 1) await harness.subscribe(hanging.url);
    await harness.send(Array.from({ length: 5 }, () => harness.event()));
    await hanging.waitFor(40);
    await harness.subscribe(receiver.url, ['go.click']);
    const click = () => ({ ...harness.event(), event: 'go.click' as const });
    await harness.send(Array.from({ length: 50 }, click));
    await receiver.waitFor(50);
    // Long before the first of the others has reached its deadline.
    expect(await unanswered()).toEqual([]);
  });

  it('leaves alone what another worker has leased, until that lease ends', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    await harness.intake([harness.event()]);
    await harness.database.query(
      `UPDATE undelivered SET lease_id = gen_random_uuid(), leased_until = now() + interval '1 h'`,
    );
    await using _worker = harness.startWorker();
    await harness.send([harness.event()]);
    const waiting = () =>
      harness.database.query('SELECT 1 FROM undelivered WHERE subscription_id = $1', [id]);
    await until(async () => receiver.requests.length === 1 && (await waiting()).length === 1);
    await harness.database.query('UPDATE undelivered SET leased_until = now()');
    await until(async () => (await waiting()).length === 0);
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
    await harness.subscribe(receiver.url);
    await harness.intake([harness.event()]);
    const answer = await process({ 'x-cron-secret': CRON_SECRET });
    expect(answer).toEqual({ status: 202, body: { enqueued: 1 } });
  });
});
