import { fileURLToPath } from 'node:url';
import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { accountDataHandler } from '@atrium/events/account-data';
import { startMessageConsumer } from '@atrium/events/message-consumer';
import { observeOutbox } from '@atrium/events/outbox-metrics';
import { startRelay } from '@atrium/events/relay';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { readConfig } from '@atrium/service-kit/config';
import { PRISMA_OPTIONS, openDatabase } from '@atrium/service-kit/database';
import { followRevokedSessions, revokedSessionsOf } from '@atrium/service-kit/revoked-sessions';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics, startMetricsServer } from '@atrium/service-kit/metrics';
import { assertMigrated } from '@atrium/service-kit/migrations';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import { PrismaPg } from '@prisma/adapter-pg';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp } from './app.ts';
import { NotesConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';

const migrations = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

await runProcess('notes', async ({ env, stack, logger }) => {
  const config = readConfig(NotesConfig, env);
  const { HOST: host, QUEUE_PREFIX: queuePrefix, REDIS_URL: redisUrl } = config;

  const database = stack.use(
    openDatabase({ url: config.DATABASE_URL, applicationName: 'notes', logger }),
  );
  await assertMigrated({ pool: database.pool, directory: migrations });
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  const redis = stack.use(await openRedis({ url: redisUrl, logger, connectionName: 'notes' }));
  const revokedSessions = stack.use(
    await followRevokedSessions({ read: revokedSessionsOf(config.AUTH_URL), logger }),
  );
  const queues = [EVENTS_QUEUE, INBOX.auth] as const;
  const relay = stack.use(
    startRelay({ pool: database.pool, queues, redisUrl, queuePrefix, logger }),
  );
  stack.use(
    startMessageConsumer({
      queue: INBOX.notes,
      handle: accountDataHandler({
        service: 'notes',
        sql: database,
        erase: (accountId) => eraseAccount(database, prisma, accountId),
        collections: (accountId) => accountCollections(prisma, accountId),
        onSent: () => relay.wake(INBOX.auth),
      }),
      redisUrl,
      queuePrefix,
      logger,
    }),
  );
  const registry = createMetrics();
  observeOutbox(registry, database.pool);
  stack.use(await startMetricsServer({ port: config.METRICS_PORT, host, registry }));

  const server = await buildApp({
    logger,
    database,
    prisma,
    wakeRelay: () => relay.wake(),
    metrics: registry,
    authenticator: createAuthenticator({
      keySet: createKeySet({ url: `${config.AUTH_URL}/.well-known/jwks.json` }),
      isRevoked: revokedSessions.isRevoked,
    }),
    rateLimiter: createRateLimiter({
      redis: redis.client,
      queuePrefix,
      enabled: config.RATE_LIMITS === 'on',
      clockMs: Date.now,
      logger,
    }),
    ready: {
      postgres: () => database.check(),
      redis: () => redis.check(),
      revocations: () => revokedSessions.check(),
    },
    notesUrl: config.NOTES_URL,
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY,
  });
  await serve(stack, server, { port: config.PORT, host });
});
