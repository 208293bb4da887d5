import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { exhaustMissingBodies } from './missing-bodies.ts';
import { createMissingBodiesStore } from './missing-bodies-store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(() => harness.database.query('TRUNCATE subscriptions, events, deliveries, undelivered'));
afterAll(() => harness?.[Symbol.asyncDispose]());

/** A subscription whose oldest deliveries have lost their bodies, before one that has its body. */
async function subscribeAndDamage(url: string, lost: number): Promise<string> {
  const { id } = await harness.subscribe(url);
  await harness.ingest(Array.from({ length: lost }, () => harness.event()));
  await harness.database.query('DELETE FROM events');
  await harness.database.query(`UPDATE undelivered SET due_at = now() - interval '2 minutes'`);
  await harness.ingest([harness.event()]);
  return id;
}

/** Runs the check once; returns how many deliveries it exhausted. */
async function check(): Promise<number> {
  let exhausted = 0;
  await exhaustMissingBodies(
    {
      store: createMissingBodiesStore(harness.database),
      logger: createLogger({ service: 'test', level: 'silent' }),
      clockMs: Date.now,
      onExhausted: (count) => (exhausted += count),
    },
    new AbortController().signal,
  );
  return exhausted;
}

async function listOf(id: string, state: string): Promise<{ id: string; attemptCount: number }[]> {
  return (await harness.call(`/api/webhooks/${id}/deliveries?state=${state}`)).body.data;
}

describe('a delivery whose body is missing', () => {
  it('does not block the deliveries behind it', async () => {
    await using receiver = await startReceiver();
    await subscribeAndDamage(receiver.url, 50);
    expect(await check()).toBe(50);
    await using _worker = await harness.startWorker();
    await receiver.waitFor(1);
  });

  it('is exhausted, with an attempt that says why', async () => {
    const id = await subscribeAndDamage('https://93.184.216.34/', 3);
    expect(await check()).toBe(3);
    const exhausted = await listOf(id, 'exhausted');
    expect(exhausted).toHaveLength(3);
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
  });

  it('returns 409 when it is redelivered', async () => {
    const id = await subscribeAndDamage('https://93.184.216.34/', 1);
    await check();
    const [exhausted] = await listOf(id, 'exhausted');
    const path = `/api/deliveries/${exhausted?.id}/redeliver`;
    expect(await harness.call(path, { method: 'POST' })).toEqual({
      status: 409,
      body: { error: 'Conflict', message: 'Delivery has no body any more that could be sent' },
    });
  });

  it('is not touched while it is not overdue', async () => {
    await subscribeAndDamage('https://93.184.216.34/', 1);
    const store = createMissingBodiesStore(harness.database);
    expect(await store.find()).toHaveLength(1);
    await harness.database.query(`UPDATE undelivered SET due_at = now() - interval '30 seconds'`);
    expect(await store.find()).toEqual([]);
  });
});
