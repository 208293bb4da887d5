import { newId } from '@atrium/contracts/ids';
import { type Receiver, startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CRON_SECRET, startHarness } from '../harness.fixture.ts';
import { seedDelivery } from '../seed.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(() => harness.database.query('TRUNCATE subscriptions, undelivered, deliveries'));
afterEach(() => vi.useRealTimers());
afterAll(() => harness?.[Symbol.asyncDispose]());

/** A worker that scans at its start and never again, since its clock stands still. */
async function startWorkerWithoutScans() {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const worker = await harness.startWorker();
  const redis = new Redis(harness.location.redisUrl);
  const channels = `${harness.location.queuePrefix}:*wake`;
  await until(async () => (await redis.pubsub('CHANNELS', channels)).length > 0);
  redis.disconnect();
  // A delivery after it has begun to listen shows that its first scan is over.
  await using first = await startReceiver();
  await harness.subscribe(first.url, ['go.click']);
  await harness.send([{ ...harness.event(), event: 'go.click' }]);
  await first.waitFor(1);
  return worker;
}

/** Makes something due at a subscription without a wake-up, and then does what must wake the worker. */
type Scenario = (id: string) => Promise<{ status: number }>;

const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
  harness.call(path, { method: 'POST', headers, ...(body && { body }) });
const patch = (id: string, body: object) =>
  harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body });
const seed = (subscriptionId: string, state: 'delivered' | 'exhausted') =>
  seedDelivery(harness.database, { subscriptionId, accountId: harness.accountId, state });

const scenarios: [action: string, scenario: Scenario][] = [
  [
    'a resumption',
    async (id) => {
      await post(`/api/webhooks/${id}/pause`);
      await harness.ingest([harness.event()]);
      return post(`/api/webhooks/${id}/resume`);
    },
  ],
  [
    'a change that resumes',
    async (id) => {
      await patch(id, { paused: true });
      await harness.ingest([harness.event()]);
      return patch(id, { paused: false });
    },
  ],
  [
    'a change that enables',
    async (id) => {
      await harness.ingest([harness.event()]);
      await patch(id, { enabled: false });
      return patch(id, { enabled: true });
    },
  ],
  ['a redelivery', async (id) => post(`/api/deliveries/${await seed(id, 'delivered')}/redeliver`)],
  ['a test event', (id) => post(`/api/webhooks/${id}/test`, { event: 'note.shared' })],
  [
    'a recovery',
    async (id) => {
      await seed(id, 'exhausted');
      return post(`/api/webhooks/${id}/recover`, { since: new Date(0).toISOString() });
    },
  ],
  [
    'the process endpoint',
    async () => {
      await harness.ingest([harness.event()]);
      return post('/api/internal/webhooks/process', undefined, { 'x-cron-secret': CRON_SECRET });
    },
  ],
];

describe('a worker that does not scan', () => {
  it.each(scenarios)('is woken by %s', async (_action, scenario) => {
    await using _worker = await startWorkerWithoutScans();
    await using receiver: Receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    expect((await scenario(id)).status).toBeLessThan(300);
    expect(await receiver.waitFor(1)).toHaveLength(1);
  });

  it('is not woken by an ingestion outside the worker', async () => {
    await using _worker = await startWorkerWithoutScans();
    await using receiver = await startReceiver();
    await using bystander = await startReceiver();
    await harness.subscribe(receiver.url);
    await harness.ingest([harness.event()]);
    await harness.subscribe(bystander.url, ['go.click']);
    await harness.send([{ ...harness.event(), id: newId('evt'), event: 'go.click' }]);
    await bystander.waitFor(1);
    expect(receiver.requests).toEqual([]);
  });
});
