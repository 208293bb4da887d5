import { createLogger } from '@atrium/service-kit/logger';
import { openBackends } from '@atrium/service-kit/service';
import { createTestDatabase } from '@atrium/testkit/database';
import { testRedis } from '@atrium/testkit/redis';
import { expect, test } from 'vitest';

test('is ready while requests hold every connection to Postgres', async () => {
  await using stack = new AsyncDisposableStack();
  const { url: DATABASE_URL } = stack.use(await createTestDatabase('notes'));
  const { url: REDIS_URL, queuePrefix: QUEUE_PREFIX } = testRedis();
  const { database, ready } = await openBackends(
    {
      stack,
      env: {},
      logger: createLogger({ service: 'notes', level: 'silent' }),
      shutdown: new AbortController().signal,
    },
    {
      name: 'notes',
      config: { DATABASE_URL, REDIS_URL, QUEUE_PREFIX },
      migrations: new URL('../prisma/migrations', import.meta.url),
    },
  );
  const { max } = database.pool.options;
  const held = await Promise.all(Array.from({ length: max }, () => database.pool.connect()));
  stack.defer(() => held.forEach((connection) => connection.release()));
  await expect(ready.postgres()).resolves.toBeUndefined();
});
