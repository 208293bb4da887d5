import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { describe, expect, it } from 'vitest';
import { startTcpProxy } from '../test/tcp-proxy.ts';
import { isRedisUnavailable } from './outage.ts';
import { openRedis } from './redis.ts';

describe('Redis', () => {
  it('is refused at once while it is away, and works again without a restart', async () => {
    await using proxy = await startTcpProxy(testRedis().url);
    await using redis = await openRedis({ url: proxy.url });
    await redis.check();
    await proxy.cut();
    const failure: unknown = await redis.client.get('x').catch((error: unknown) => error);
    expect(isRedisUnavailable(failure)).toBe(true);
    // Nor was it kept in a queue or waited for: such a command fails by its time limit.
    expect(String(failure)).not.toMatch(/timed out/i);
    await expect(redis.check()).rejects.toThrow('Redis is unavailable');
    await proxy.mend();
    await until(() => redis.check().then(() => true));
  });

  it('is not waited for when it answers nothing', async () => {
    await using proxy = await startTcpProxy(testRedis().url);
    await using redis = await openRedis({ url: proxy.url });
    proxy.freeze();
    const failure: unknown = await redis.client.get('x').catch((error: unknown) => error);
    expect(isRedisUnavailable(failure)).toBe(true);
    await proxy.cut();
  });

  it('may be away when a service starts', async () => {
    await using proxy = await startTcpProxy(testRedis().url);
    await proxy.cut();
    await using redis = await openRedis({ url: proxy.url });
    await expect(redis.check()).rejects.toThrow('Redis is unavailable');
  });
});
