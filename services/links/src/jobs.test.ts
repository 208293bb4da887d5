import { createLogger } from '@atrium/service-kit/logger';
import { createMetrics } from '@atrium/service-kit/metrics';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobs } from './jobs.ts';
import { startTestPlatform, type TestPlatform } from './test-app.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());

test('orphaned clicks and purges do not wait for each other', async () => {
  const { database, store, journal } = platform;
  await database.query(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, response, created_at)
     VALUES ('usr_1', 'key', '', '', now() - interval '1 year')`,
  );
  const reading = Promise.withResolvers<undefined>();
  const release = Promise.withResolvers<undefined>();
  const readOlderThan = async () => {
    reading.resolve(undefined);
    await release.promise;
    return [];
  };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const { url: redisUrl, queuePrefix } = testRedis();
  await using _jobs = startJobs({
    database,
    clicks: { store, journal: { ...journal, readOlderThan }, logger },
    clickRetentionDays: 400,
    metrics: createMetrics(),
    redisUrl,
    queuePrefix,
    clockMs: Date.now,
  });
  await reading.promise;
  const keys = () => database.query('SELECT FROM idempotency_keys');
  await until(async () => (await keys()).length === 0);
  release.resolve(undefined);
  expect(await keys()).toEqual([]);
});
