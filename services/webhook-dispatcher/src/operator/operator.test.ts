import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { ingestBatch } from '../ingestion/ingest.ts';
import { seedDelivery } from '../seed.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
let operator: string;
beforeAll(async () => {
  harness = await startHarness();
  operator = harness.issuer.issueToken({ isOperator: true });
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const get = (path: string, token = operator) => harness.call(`/api/operator${path}`, { token });

/** A subscription with deliveries in these states, the oldest first. */
async function seed(url: string, states: ('delivered' | 'failed' | 'exhausted')[]) {
  const { id: subscriptionId } = await harness.subscribe(url);
  const { accountId } = harness;
  for (const state of states) {
    await seedDelivery(harness.database, { subscriptionId, accountId, state });
  }
  return subscriptionId;
}

it('does not exist for others', async () => {
  const expected = { status: 404, body: { error: 'Not Found', message: 'Page not found' } };
  const token = harness.issuer.issueToken();
  for (const path of ['/queues', '/endpoints', '/rejected-events?limit=0', '/services/webhooks']) {
    expect(await get(path, token)).toEqual(expected);
  }
  const expired = harness.issuer.issueToken({ isOperator: true, expiresInSeconds: -1 });
  expect((await get('/queues', expired)).status).toBe(401);
});

describe('the queues', () => {
  it('say what is due and for how long', async () => {
    const id = await seed('https://93.184.216.34/due', ['failed']);
    await harness.database.query(
      `UPDATE undelivered SET due_at = now() - interval '90 s' WHERE subscription_id = $1`,
      [id],
    );
    const { status, body } = await get('/queues');
    expect(status).toBe(200);
    expect(body).toMatchObject({ due: 1, eventBatches: 0, heldDeliveries: 0 });
    expect(body.oldestDueSeconds).toBeGreaterThan(89);
    expect(body.throughput).toHaveLength(30);
    await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
  });

  it('are not late when deliveries wait only for a rate limit or a failing endpoint', async () => {
    const limited = await seed('https://93.184.216.34/limited', ['failed']);
    const failing = await seed('https://93.184.216.34/failing', ['failed']);
    const { database } = harness;
    await database.query(`UPDATE undelivered SET due_at = now() - interval '1 hour'`);
    await harness.call(`/api/webhooks/${limited}`, {
      method: 'PATCH',
      body: { rateLimitPerSecond: 1 },
    });
    await database.query('UPDATE subscriptions SET failing_since = now() WHERE id = $1', [failing]);
    expect((await get('/queues')).body).toMatchObject({ due: 2, oldestDueSeconds: 0 });
    for (const id of [limited, failing]) {
      await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
    }
  });

  it('count the attempts of the workers by the minute', async () => {
    await using receiver = await startReceiver({
      respond: (_n, { path }) => ({ status: path === '/down' ? 500 : 204 }),
    });
    await harness.subscribe(`${receiver.url}/up`);
    await harness.subscribe(`${receiver.url}/down`);
    {
      await using _worker = await harness.startWorker({
        WEBHOOK_RETRY_DELAYS_MS: [60_000, 1, 1, 1],
      });
      await harness.send([harness.event()]);
      await until(() => receiver.requests.length === 2);
    }
    const { body } = await get('/queues');
    const sum = (field: 'delivered' | 'failed') =>
      body.throughput.reduce(
        (total: number, minute: Record<string, number>) => total + (minute[field] ?? 0),
        0,
      );
    expect([sum('delivered'), sum('failed')]).toEqual([1, 1]);
  });
});

it('lists the endpoints that fail most, without the paths of their URLs', async () => {
  const half = await seed('https://93.184.216.34/token-1', ['delivered', 'failed']);
  const all = await seed('https://93.184.216.35/token-2', ['exhausted', 'exhausted']);
  const none = await seed('https://93.184.216.36/token-3', ['delivered']);
  const { body } = await get('/endpoints');
  const found: { subscriptionId: string }[] = body.data.filter(
    ({ subscriptionId }: { subscriptionId: string }) => [half, all, none].includes(subscriptionId),
  );
  expect(found).toMatchObject([
    {
      subscriptionId: all,
      origin: 'https://93.184.216.35',
      deliveries: 2,
      failed: 2,
      lastStatus: 500,
    },
    { subscriptionId: half, origin: 'https://93.184.216.34', deliveries: 2, failed: 1 },
  ]);
  expect(JSON.stringify(body)).not.toContain('token-');
});

it('lists rejected events page by page, without their data', async () => {
  const broken = [newId('evt'), newId('evt')].map((id) => ({
    ...harness.event(),
    id,
    createdAt: 'no',
  }));
  for (const event of broken) {
    await ingestBatch({ events: [event] }, harness.ingestDeps());
  }
  const first = await get('/rejected-events?limit=1');
  expect(first.body.data).toMatchObject([
    {
      eventId: broken[1]?.id,
      reason: expect.stringContaining('createdAt'),
      sizeBytes: expect.any(Number),
    },
  ]);
  expect(JSON.stringify(first.body)).not.toContain('Grüße');
  const second = await get(`/rejected-events?limit=1&cursor=${first.body.nextCursor}`);
  expect(second.body).toMatchObject({ data: [{ eventId: broken[0]?.id }], nextCursor: null });
  expect((await get('/rejected-events?cursor=x')).status).toBe(422);
});

it('tells operators what waits in the outbox of the service', async () => {
  await harness.database.prisma.outboxEvent.create({
    data: {
      id: newId('msg'),
      queue: 'inbox-auth',
      event: 'webhook.disabled',
      accountId: harness.accountId,
      data: {},
    },
  });
  const { body } = await get('/services/webhooks');
  expect(body).toMatchObject({
    service: 'webhooks',
    version: 'test',
    failing: [],
    outbox: [{ queue: 'inbox-auth', waiting: 1, setAside: 0 }],
  });
});
