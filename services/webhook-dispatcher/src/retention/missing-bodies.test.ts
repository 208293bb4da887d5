import { createMetrics } from '@atrium/service-kit/metrics';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { createMissingBodiesStore } from './missing-bodies-store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(() => harness.database.query('TRUNCATE subscriptions, events, deliveries, undelivered'));
afterAll(() => harness?.[Symbol.asyncDispose]());

/** A subscription whose oldest deliveries have lost their bodies, with one behind them that has not. */
async function damaged(url: string, lost: number): Promise<string> {
  const { id } = await harness.subscribe(url);
  await harness.ingest(Array.from({ length: lost }, () => harness.event()));
  await harness.database.query('DELETE FROM events');
  await harness.database.query(`UPDATE undelivered SET due_at = now() - interval '2 minutes'`);
  await harness.ingest([harness.event()]);
  return id;
}

async function listOf(id: string, state: string): Promise<{ id: string; attemptCount: number }[]> {
  return (await harness.call(`/api/webhooks/${id}/deliveries?state=${state}`)).body.data;
}

describe('a delivery whose body is gone', () => {
  it('does not stand in the way of those behind it', async () => {
    await using receiver = await startReceiver();
    await damaged(receiver.url, 50);
    await using _worker = harness.startWorker();
    await receiver.waitFor(1);
  });

  it('is exhausted, with an attempt that says why, and is counted', async () => {
    await using receiver = await startReceiver();
    const id = await damaged(receiver.url, 3);
    const metrics = createMetrics();
    await using _worker = harness.startWorker({ metrics });
    const exhausted = await until(async () => {
      const found = await listOf(id, 'exhausted');
      return found.length === 3 && found;
    });
    const { status, body } = await harness.call(`/api/deliveries/${exhausted[0]?.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'exhausted',
      attemptCount: 1,
      nextAttemptAt: null,
      body: null,
      attempts: [
        {
          id: expect.stringMatching(/^att_/),
          number: 1,
          status: null,
          error: 'Nothing could be sent: the body of this event is no longer stored',
        },
      ],
    });
    expect(await metrics.metrics()).toContain('webhook_deliveries_without_body_total 3');
    await receiver.waitFor(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it('cannot be sent again, and says so', async () => {
    await using receiver = await startReceiver();
    const id = await damaged(receiver.url, 1);
    await using _worker = harness.startWorker();
    const [exhausted] = await until(async () => {
      const found = await listOf(id, 'exhausted');
      return found.length === 1 && found;
    });
    const path = `/api/deliveries/${exhausted?.id}/redeliver`;
    expect(await harness.call(path, { method: 'POST' })).toEqual({
      status: 409,
      body: { error: 'Conflict', message: 'Delivery has no body any more that could be sent' },
    });
  });

  it('is left alone while it is not overdue', async () => {
    await damaged('https://93.184.216.34/', 1);
    const store = createMissingBodiesStore(harness.database);
    expect(await store.find()).toHaveLength(1);
    await harness.database.query(`UPDATE undelivered SET due_at = now() - interval '30 seconds'`);
    expect(await store.find()).toEqual([]);
  });
});
