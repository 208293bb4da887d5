import { testRedis } from '@atrium/testkit/redis';
import { describe, expect, it } from 'vitest';
import { startTcpProxy } from '../test/tcp-proxy.ts';
import { createRateLimiter, rateLimitHeaders } from './rate-limit.ts';
import { openRedis, type RedisHandle } from './redis.ts';

const RULE = { name: 'login', limit: 3, windowSeconds: 60 };

function limiterOf(redis: RedisHandle, prefix: string, clockMs: () => number, enabled = true) {
  return createRateLimiter({ redis: redis.client, prefix, enabled, clockMs });
}

describe('a rate limit', () => {
  it('allows a burst, then tells when to come back', async () => {
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
    await limiter.consume(RULE, 'somebody else');
    nowMs += 20_000;
    await limiter.consume(RULE, 'me');
    await expect(limiter.consume(RULE, 'me')).rejects.toMatchObject({ status: 429 });
  });

  it('is exact when processes ask at the same time', async () => {
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

  it('goes on in each process while Redis is away', async () => {
    await using proxy = await startTcpProxy(testRedis().url);
    await using redis = await openRedis({ url: proxy.url });
    await proxy.cut();
    let nowMs = Date.now();
    const limiter = limiterOf(redis, 'x', () => nowMs);
    for (let count = 0; count < RULE.limit; count += 1) {
      await limiter.consume(RULE, 'me');
    }
    await expect(limiter.consume(RULE, 'me')).rejects.toMatchObject({ status: 429 });
    nowMs += 20_000;
    await limiter.consume(RULE, 'me');
  });

  it('can be turned off', async () => {
    const { url, queuePrefix } = testRedis();
    await using redis = await openRedis({ url });
    const limiter = limiterOf(redis, queuePrefix, Date.now, false);
    for (let count = 0; count < 10; count += 1) {
      const state = await limiter.consume(RULE, 'me');
      expect(rateLimitHeaders(RULE, state).ratelimit).toBe('"login";r=3;t=0');
    }
  });
});
