import { fileURLToPath } from 'node:url';
import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { accountDataHandler } from '@atrium/events/account-data';
import { startMessageConsumer } from '@atrium/events/consumer';
import { observeOutbox } from '@atrium/events/outbox-metrics';
import { startRelay } from '@atrium/events/relay';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase } from '@atrium/service-kit/database';
import { followRevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics, startMetricsServer } from '@atrium/service-kit/metrics';
import { assertMigrated } from '@atrium/service-kit/migrations';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp } from './app.ts';
import { NotesConfig } from './config.ts';

const migrations = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

await runProcess('notes', async ({ env, stack, logger }) => {
  const config = readConfig(NotesConfig, env);
  const { HOST: host, QUEUE_PREFIX: queuePrefix, REDIS_URL: redisUrl } = config;

  const db = stack.use(
    openDatabase({ url: config.DATABASE_URL, applicationName: 'notes', logger }),
  );
  await assertMigrated({ pool: db.pool, directory: migrations });
  const redis = stack.use(await openRedis({ url: redisUrl, logger, connectionName: 'notes' }));
  const revokedSessions = stack.use(
    await followRevokedSessions({
      redis: redis.client,
      queuePrefix,
      authUrl: config.AUTH_URL,
      logger,
    }),
  );
  const queues = [EVENTS_QUEUE, INBOX.auth] as const;
  const relay = stack.use(startRelay({ pool: db.pool, queues, redisUrl, queuePrefix, logger }));
  stack.use(
    startMessageConsumer({
      queue: INBOX.notes,
      handle: accountDataHandler({
        service: 'notes',
        sql: db,
        erase: (accountId) => eraseAccount(db, accountId),
        collections: (accountId) => accountCollections(db, accountId),
        onSent: () => relay.wake(INBOX.auth),
      }),
      redisUrl,
      queuePrefix,
      logger,
    }),
  );
  const registry = createMetrics();
  observeOutbox(registry, db.pool);
  stack.use(await startMetricsServer({ port: config.METRICS_PORT, host, registry }));

  const server = await buildApp({
    logger,
    db,
    relay,
    metrics: registry,
    authenticator: createAuthenticator({
      keySet: createKeySet({ url: `${config.AUTH_URL}/.well-known/jwks.json` }),
      isRevoked: revokedSessions.isRevoked,
    }),
    limiter: createRateLimiter({
      redis: redis.client,
      queuePrefix,
      enabled: config.RATE_LIMITS === 'on',
      clockMs: Date.now,
      logger,
    }),
    ready: {
      postgres: () => db.check(),
      redis: () => redis.check(),
      revocations: () => revokedSessions.check(),
    },
    notesUrl: config.NOTES_URL,
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY,
  });
  await serve(stack, server, { port: config.PORT, host });
});
