import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { testRedis } from '@atrium/testkit/redis';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { createEndpointRate } from './endpoint-rate.ts';

const { url, queuePrefix } = testRedis();
const logger = createLogger({ service: 'test', level: 'silent' });
let redis: Redis;
beforeAll(() => {
  redis = new Redis(url);
});
afterAll(() => redis?.quit());

describe('the rate limit of an endpoint', () => {
  it('is one budget shared by all workers', async () => {
    const workers = [1, 2, 3].map(() => createEndpointRate(redis, queuePrefix, logger));
    // One in a hundred seconds: they all ask within that time.
    const answers = await Promise.all(workers.map((take) => take('whk_shared', 0.01, 10)));
    expect(answers.reduce((sum, { granted }) => sum + granted, 0)).toBe(1);
    for (const { granted, retryAfterMs } of answers) {
      if (granted === 0) expect(retryAfterMs).toBeGreaterThan(0);
    }
  });

  it('grants no more than was asked for, and its key expires', async () => {
    const take = createEndpointRate(redis, queuePrefix, logger);
    expect(await take('whk_modest', 10, 1)).toEqual({ granted: 1, retryAfterMs: 0 });
    expect((await take('whk_few', 100, 3)).granted).toBe(3);
    // A tenth of a second after one request at this rate; -1 would be for ever.
    expect(await redis.pttl(`${queuePrefix}:endpoint-rate:whk_modest`)).not.toBe(-1);
  });

  it('grants again after retryAfterMs', async () => {
    const take = createEndpointRate(redis, queuePrefix, logger);
    const first = await take('whk_again', 50, 100);
    expect(first.granted).toBe(5);
    let granted = 0;
    for (let asks = 0; granted === 0 && asks < 50; asks += 1) {
      const answer = await take('whk_again', 50, 1);
      granted = answer.granted;
      await new Promise((resolve) => setTimeout(resolve, answer.retryAfterMs));
    }
    expect(granted).toBe(1);
  });

  it('is kept by each worker alone while Redis is unavailable', async () => {
    const away = new Redis(url, { lazyConnect: true, enableOfflineQueue: false });
    const take = createEndpointRate(away, queuePrefix, logger);
    expect(await take('whk_away', 0.01, 5)).toEqual({ granted: 1, retryAfterMs: 0 });
    const { granted, retryAfterMs } = await take('whk_away', 0.01, 5);
    expect(granted).toBe(0);
    expect(retryAfterMs).toBeGreaterThan(0);
    away.disconnect();
  });

  it('spreads the requests of a worker over time', async () => {
    await using harness = await startHarness();
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    await harness.database.query('UPDATE subscriptions SET rate_limit_per_second = 10');
    await harness.ingest(Array.from({ length: 15 }, () => harness.event()));
    const startedMs = Date.now();
    await using _worker = await harness.startWorker();
    const requests = await receiver.waitFor(15);
    // 15 at ten a second need 1.4 s at the very least; how much longer depends on the machine. The
    // first may arrive late, so the time counts from before the worker started.
    expect((requests.at(-1)?.receivedAtMs ?? 0) - startedMs).toBeGreaterThan(1_390);
    expect((await harness.call(`/api/webhooks/${id}`)).body.enabled).toBe(true);
  });
});
