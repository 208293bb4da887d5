import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CRON_SECRET, startHarness } from '../harness.fixture.ts';
import { createLeaseStore } from './lease-store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
// Otherwise each test's events would also go to the receivers of earlier tests.
afterEach(() => harness.database.query('TRUNCATE subscriptions, undelivered, attempts'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const process = (headers: Record<string, string>) =>
  harness.call('/api/internal/webhooks/process', { method: 'POST', headers });

const unanswered = () => harness.database.query('SELECT 1 FROM attempts WHERE status IS NULL');

describe('a worker', () => {
  it('delivers events that were queued before it started', async () => {
    await using receiver = await startReceiver();
    await harness.subscribe(receiver.url);
    await harness.send([harness.event(), harness.event()]);
    await using _worker = await harness.startWorker();
    expect(await receiver.waitFor(2)).toHaveLength(2);
  });

  it('shares the work with another worker and sends nothing twice', async () => {
    await using receiver = await startReceiver();
    await using _first = await harness.startWorker();
    await using _second = await harness.startWorker();
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

  it('serves other endpoints while one hangs', async () => {
    await using _worker = await harness.startWorker({ WEBHOOK_TIMEOUT_MS: 60_000 });
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
    // Before the first hanging request has reached its deadline.
    expect(await unanswered()).toEqual([]);
    expect(hanging.requests).toHaveLength(2);
  });

  it('takes over the expired lease of a killed worker and counts the attempt once', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    await harness.ingest([harness.event()]);
    // As a worker leaves it that is killed between the answer and the record.
    await harness.database.query(
      `UPDATE undelivered SET lease_id = gen_random_uuid(), leased_until = now() - interval '1 ms'
       WHERE subscription_id = $1`,
      [id],
    );
    await using _worker = await harness.startWorker();
    await until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
    expect(await harness.deliveryOf(id)).toMatchObject({
      attemptCount: 1,
      attempts: [{ number: 1, status: 204 }],
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('counts a failed attempt when a third worker has ended during it', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    await harness.ingest([harness.event()]);
    const leases = createLeaseStore(harness.database, 15_000);
    for (let crash = 0; crash < 3; crash += 1) {
      await leases.lease({ limit: 1, bytes: 100_000, slots: new Map([[id, 1]]) });
      await harness.database.query(
        `UPDATE undelivered SET leased_until = now() - interval '1 ms' WHERE subscription_id = $1`,
        [id],
      );
    }
    await using _worker = await harness.startWorker();
    await until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
    expect(await harness.deliveryOf(id)).toMatchObject({
      attempts: [
        { number: 1, status: null, error: 'The worker ended during the attempt' },
        { number: 2, status: 204 },
      ],
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('serves a new endpoint while more hang than it has slots', async () => {
    await using _worker = await harness.startWorker({
      WEBHOOK_TIMEOUT_MS: 60_000,
      WORKER_CONCURRENCY: 20,
    });
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
    // Long before the first hanging request has reached its deadline.
    expect(await unanswered()).toEqual([]);
  });

  it('leaves a delivery alone that another worker has leased until that lease expires', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    await harness.ingest([harness.event()]);
    await harness.database.query(
      `UPDATE undelivered SET lease_id = gen_random_uuid(), leased_until = now() + interval '1 h'`,
    );
    await using _worker = await harness.startWorker();
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
  it('returns 429 to an IP address after many wrong secrets, and counts no right one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const from = (address: string, secret: string) =>
      harness.server.inject({
        method: 'POST',
        url: '/api/internal/webhooks/process',
        remoteAddress: address,
        headers: { 'x-cron-secret': secret },
      });
    const statuses = async (address: string, secret: string) => {
      const answers = [];
      for (let i = 0; i < 32; i += 1) answers.push((await from(address, secret)).statusCode);
      return new Set(answers);
    };
    expect(await statuses('203.0.113.1', 'wrong')).toEqual(new Set([401, 429]));
    expect((await from('203.0.113.1', CRON_SECRET)).statusCode).toBe(429);
    expect(await statuses('203.0.113.2', CRON_SECRET)).toEqual(new Set([202]));
  });

  it('returns 401 without the right cron secret', async () => {
    const refused = { error: 'Unauthorized', message: expect.any(String) };
    expect(await process({})).toEqual({ status: 401, body: refused });
    expect(await process({ 'x-cron-secret': `${CRON_SECRET}x` })).toMatchObject({ status: 401 });
  });

  it('returns how many deliveries are due', async () => {
    await using receiver = await startReceiver();
    await harness.subscribe(receiver.url);
    await harness.ingest([harness.event()]);
    const answer = await process({ 'x-cron-secret': CRON_SECRET });
    expect(answer).toEqual({ status: 202, body: { enqueued: 1 } });
  });
});
