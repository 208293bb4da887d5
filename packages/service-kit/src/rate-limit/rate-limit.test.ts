import { testRedis } from '@atrium/testkit/redis';
import { startOutage } from '@atrium/testkit/outage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../http-error.ts';
import { createRateLimiter, rateLimitHeaders } from './rate-limit.ts';
import { openRedis, type RedisHandle } from '../redis.ts';

const RULE = { name: 'login', limit: 3, windowSeconds: 60 };
const ATTEMPTS = {
  name: 'attempts',
  limit: 2,
  windowSeconds: 86_400,
  delays: { firstSeconds: 5, maxSeconds: 60 },
};

function headersOf(error: unknown) {
  if (error instanceof HttpError) {
    return error.headers;
  }
  throw error;
}

function limiterOf(redis: RedisHandle, keyPrefix: string, clockMs: () => number, enabled = true) {
  return createRateLimiter({ redis: redis.client, keyPrefix, enabled, clockMs });
}

describe('a rate limit', () => {
  it('allows a burst, then returns 429 with Retry-After', async () => {
    const { url, queuePrefix } = testRedis();
    await using redis = await openRedis({ url });
    let nowMs = Date.now();
    const limiter = limiterOf(redis, queuePrefix, () => nowMs);
    for (const remaining of [2, 1, 0]) {
      expect(await limiter.consume(RULE, 'me')).toMatchObject({ isAllowed: true, remaining });
    }
    await expect(limiter.consume(RULE, 'me')).rejects.toMatchObject({
      status: 429,
      headers: {
        'retry-after': '20',
        'ratelimit-policy': '"login";q=3;w=60',
        ratelimit: '"login";r=0;t=20',
      },
    });
    await limiter.consume(RULE, 'another');
    nowMs += 20_000;
    await limiter.consume(RULE, 'me');
    await expect(limiter.consume(RULE, 'me')).rejects.toMatchObject({ status: 429 });
  });

  it('does not fail a completed request when a refund fails', async () => {
    const { url, queuePrefix } = testRedis();
    await using redis = await openRedis({ url });
    const limiter = limiterOf(redis, queuePrefix, Date.now);
    // Nothing that the scripts can work with.
    await redis.client.rpush(`${queuePrefix}:rate:${RULE.name}:me`, 'nonsense');
    await limiter.refund(RULE, 'me');
    redis.client.disconnect();
    await limiter.forget(RULE, 'me');
  });

  it('is exact under concurrent requests of several processes', async () => {
    const { url, queuePrefix } = testRedis();
    await using one = await openRedis({ url });
    await using two = await openRedis({ url });
    const nowMs = Date.now();
    const limiters = [one, two].map((redis) => limiterOf(redis, queuePrefix, () => nowMs));
    const outcomes = await Promise.allSettled(
      limiters.flatMap((limiter) => Array.from({ length: 20 }, () => limiter.consume(RULE, 'me'))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(RULE.limit);
  });

  it('applies in each process while Redis is unavailable', async () => {
    await using outage = await startOutage(testRedis().url);
    await using redis = await openRedis({ url: outage.url });
    await outage.begin();
    let nowMs = Date.now();
    const limiter = limiterOf(redis, 'x', () => nowMs);
    for (let count = 0; count < RULE.limit; count += 1) {
      await limiter.consume(RULE, 'me');
    }
    await expect(limiter.consume(RULE, 'me')).rejects.toMatchObject({ status: 429 });
    nowMs += 20_000;
    await limiter.consume(RULE, 'me');
  });

  it('continues from the last known count when Redis becomes unavailable', async () => {
    await using outage = await startOutage(testRedis().url);
    await using redis = await openRedis({ url: outage.url });
    const nowMs = Date.now();
    const limiter = limiterOf(redis, testRedis().queuePrefix, () => nowMs);
    for (let count = 0; count < RULE.limit; count += 1) {
      await limiter.consume(RULE, 'me');
    }
    await outage.begin();
    await expect(limiter.consume(RULE, 'me')).rejects.toMatchObject({ status: 429 });
    await limiter.refund(RULE, 'me');
    await limiter.consume(RULE, 'me');
  });

  it('with delays, allows one request after each delay, and the delays grow', async () => {
    const { url, queuePrefix } = testRedis();
    await using redis = await openRedis({ url });
    let nowMs = Date.now();
    const limiter = limiterOf(redis, queuePrefix, () => nowMs);
    await limiter.consume(ATTEMPTS, 'me');
    await limiter.consume(ATTEMPTS, 'me');
    for (const seconds of ['5', '10', '20', '40', '60', '60']) {
      await expect(limiter.consume(ATTEMPTS, 'me')).rejects.toMatchObject({
        status: 429,
        headers: { 'retry-after': seconds },
      });
      nowMs += Number(seconds) * 1000;
      await limiter.consume(ATTEMPTS, 'me');
    }
  });

  it.each([RULE, ATTEMPTS])('refunds a counted request: $name', async (rule) => {
    const { url, queuePrefix } = testRedis();
    await using redis = await openRedis({ url });
    const nowMs = Date.now();
    const limiter = limiterOf(redis, queuePrefix, () => nowMs);
    const failures = rule.limit - 1;
    for (let count = 0; count < failures; count += 1) {
      await limiter.consume(rule, 'me');
    }
    for (let count = 0; count < 10; count += 1) {
      await limiter.consume(rule, 'me');
      await limiter.refund(rule, 'me');
    }
    await limiter.consume(rule, 'me');
    await expect(limiter.consume(rule, 'me')).rejects.toMatchObject({ status: 429 });
    await limiter.forget(rule, 'me');
    for (let count = 0; count < rule.limit; count += 1) {
      await limiter.consume(rule, 'me');
    }
  });

  it('decides the same in Redis and in memory', async () => {
    const { url, queuePrefix } = testRedis();
    await using redis = await openRedis({ url });
    await using outage = await startOutage(url);
    await using absent = await openRedis({ url: outage.url });
    await outage.begin();
    const steps = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 100_000 }),
        fc.constantFrom('consume', 'consume', 'consume', 'refund', 'forget'),
      ),
      { minLength: 1, maxLength: 30 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(RULE, ATTEMPTS), steps, async (rule, moves) => {
        run += 1;
        let nowMs = Date.now();
        const options = {
          keyPrefix: `${queuePrefix}:${run}`,
          enabled: true,
          clockMs: () => nowMs,
        };
        const shared = createRateLimiter({ ...options, redis: redis.client });
        const alone = createRateLimiter({ ...options, redis: absent.client });
        for (const [passMs, move] of moves) {
          nowMs += passMs;
          const [one, two] = await Promise.all(
            [shared, alone].map((limiter) => limiter[move](rule, 'me').catch(headersOf)),
          );
          expect(two).toEqual(one);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('allows everything when it is turned off', async () => {
    const { url, queuePrefix } = testRedis();
    await using redis = await openRedis({ url });
    const limiter = limiterOf(redis, queuePrefix, Date.now, false);
    for (let count = 0; count < 10; count += 1) {
      const state = await limiter.consume(RULE, 'me');
      expect(rateLimitHeaders(RULE, state).ratelimit).toBe('"login";r=3;t=0');
    }
  });
});
