import { openBackends } from '@atrium/service-kit/service';
import { withClient } from '@atrium/testkit/connection';
import { createTestDatabase } from '@atrium/testkit/database';
import { testRedis } from '@atrium/testkit/redis';
import { expect, test } from 'vitest';
import { createPrisma } from './database.ts';
import { testContext } from './test-app.ts';

const untraced = { OTEL_TRACES_SAMPLER_ARG: 0, TRACE_ACCOUNTS: [], TRACE_TRUSTED_NETWORKS: [] };

function openNotesBackends(stack: AsyncDisposableStack, DATABASE_URL: string) {
  const { url: REDIS_URL, queuePrefix: QUEUE_PREFIX } = testRedis();
  return openBackends(testContext(stack), {
    name: 'notes',
    config: { DATABASE_URL, REDIS_URL, QUEUE_PREFIX, RELAY_INTERVAL_MS: 1_000, ...untraced },
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
  });
}

test('is ready while requests hold every connection to Postgres', async () => {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createTestDatabase('notes'));
  const { database, ready } = await openNotesBackends(stack, url);
  const { max } = database.pool.options;
  const held = await Promise.all(Array.from({ length: max }, () => database.pool.connect()));
  stack.defer(() => held.forEach((connection) => connection.release()));
  await expect(ready.postgres()).resolves.toBeUndefined();
});

test('has the time of its database, whatever the clock of this machine says', async () => {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createTestDatabase('notes'));
  await withClient(url, (client) =>
    client.query(`
      CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS $$ SELECT pg_catalog.clock_timestamp() + interval '5 hours' $$;
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
      END $$`),
  );
  const { clockMs } = await openNotesBackends(stack, url);
  expect(Math.round((clockMs() - Date.now()) / 3_600_000)).toBe(5);
});
