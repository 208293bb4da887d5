import { testRedis } from '@atrium/testkit/redis';
import { startOutage } from '@atrium/testkit/outage';
import { until } from '@atrium/testkit/until';
import { describe, expect, it } from 'vitest';
import { isRedisUnavailable } from './outage.ts';
import { openRedis } from './redis.ts';

describe('Redis', () => {
  it('fails at once while it is unavailable, and works again without a restart', async () => {
    await using outage = await startOutage(testRedis().url);
    await using redis = await openRedis({ url: outage.url });
    await redis.check();
    await outage.begin();
    const failure: unknown = await redis.client.get('x').catch((error: unknown) => error);
    expect(isRedisUnavailable(failure)).toBe(true);
    // Nor was it kept in a queue or waited for: such a command fails by its time limit.
    expect(String(failure)).not.toMatch(/timed out/i);
    await expect(redis.check()).rejects.toThrow('Redis is unavailable');
    await outage.end();
    await until(() => redis.check().then(() => true));
  });

  it('fails at the timeout when it does not answer', async () => {
    await using outage = await startOutage(testRedis().url);
    await using redis = await openRedis({ url: outage.url });
    outage.freeze();
    const failure: unknown = await redis.client.get('x').catch((error: unknown) => error);
    expect(isRedisUnavailable(failure)).toBe(true);
    await outage.begin();
  });

  it('replaces a connection that stays silent', async () => {
    await using outage = await startOutage(testRedis().url);
    await using redis = await openRedis({ url: outage.url, commandTimeoutMs: 200 });
    outage.freeze();
    await until(() => redis.check().then(() => true));
  });

  it('may be unavailable when a service starts', async () => {
    await using outage = await startOutage(testRedis().url);
    await outage.begin();
    await using redis = await openRedis({ url: outage.url });
    await expect(redis.check()).rejects.toThrow('Redis is unavailable');
  });
});
