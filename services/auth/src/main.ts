import { fileURLToPath } from 'node:url';
import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { startMessageConsumer } from '@atrium/events/message-consumer';
import { observeOutbox } from '@atrium/events/outbox-metrics';
import { startRelay } from '@atrium/events/relay';
import { PRISMA_OPTIONS, openDatabase } from '@atrium/service-kit/database';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics, startMetricsServer } from '@atrium/service-kit/metrics';
import { assertMigrated } from '@atrium/service-kit/migrations';
import { openRedis } from '@atrium/service-kit/redis';
import { followRevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { PrismaPg } from '@prisma/adapter-pg';
import { createInbox } from './lifecycle/account-messages/inbox.ts';
import { buildApp } from './app.ts';
import { readAuthConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';
import { openSigningKeys } from './signing-keys/signing-keys.ts';
import { startEmailSender } from './email/outbox/sender.ts';
import { createEmailOutbox } from './email/outbox/store.ts';
import { createEmailTemplates } from './email/templates/templates.ts';
import { openEmailTransport } from './email/transport/transport.ts';
import { startAuthJobs } from './scheduled-jobs.ts';
import { createPasswordHasher, hashingLimits } from './passwords/hasher.ts';
import { lowerHashingPriority } from './passwords/hashing-priority.ts';
import { readRevokedSessions } from './sessions/revoked-session-store.ts';

await runProcess('auth', async ({ env, stack, logger }) => {
  const config = readAuthConfig(env);
  const { keyRing, HOST: host, REDIS_URL: redisUrl, QUEUE_PREFIX: queuePrefix } = config;

  const database = stack.use(
    openDatabase({ url: config.DATABASE_URL, applicationName: 'auth', logger }),
  );
  const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
  await assertMigrated({ pool: database.pool, directory });
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  stack.defer(() => prisma.$disconnect());
  const redis = stack.use(await openRedis({ url: redisUrl, logger, connectionName: 'auth' }));
  const clockMs = Date.now;
  const signingKeys = stack.use(
    await openSigningKeys({
      prisma,
      keyRing,
      accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
      maxAgeDays: config.SIGNING_KEY_MAX_AGE_DAYS,
      clockMs,
      logger,
    }),
  );
  const revokedSessions = stack.use(
    await followRevokedSessions({
      read: (cursor) => readRevokedSessions(database, cursor, clockMs()),
      logger,
      clockMs,
    }),
  );

  const emailOutbox = createEmailOutbox({ database, prisma, keyRing });
  const templates = createEmailTemplates(config.WEB_URL);
  const transport = stack.use(openEmailTransport(config, logger));
  const emailSender = stack.use(
    startEmailSender({ outbox: emailOutbox, transport, redisUrl, queuePrefix, logger }),
  );
  const relay = stack.use(
    startRelay({
      pool: database.pool,
      queues: [EVENTS_QUEUE, ...Object.values(INBOX)],
      redisUrl,
      queuePrefix,
      logger,
    }),
  );
  const email = {
    templates,
    enqueueEmail: emailOutbox.enqueue,
    wakeEmailSender: () => emailSender.wake(),
  };
  stack.use(
    startMessageConsumer({
      queue: INBOX.auth,
      handle: createInbox({
        ...email,
        database,
        prisma,
        keyRing,
        onSent: () => relay.wake(INBOX.auth),
        webUrl: config.WEB_URL,
        clockMs,
      }),
      redisUrl,
      queuePrefix,
      logger,
    }),
  );
  const jobs = stack.use(
    startAuthJobs({
      config,
      database,
      prisma,
      emailOutbox,
      erasure: {
        ...email,
        prisma,
        accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
        syncRevokedSessions: () => revokedSessions.sync(),
        wakeRelay: (queue) => relay.wake(queue),
        logger,
        clockMs,
      },
      redisUrl,
      queuePrefix,
      logger,
      clockMs,
    }),
  );

  const hasher = await createPasswordHasher(hashingLimits(config.UV_THREADPOOL_SIZE));
  await lowerHashingPriority();

  const metrics = createMetrics();
  observeOutbox(metrics, database.pool);
  stack.use(await startMetricsServer({ port: config.METRICS_PORT, host, registry: metrics }));
  const server = await buildApp({
    config,
    database,
    prisma,
    redis,
    signingKeys,
    revokedSessions,
    hasher,
    emailOutbox,
    wakeEmailSender: () => emailSender.wake(),
    wakeRelay: (queue) => relay.wake(queue),
    wakeErasure: jobs.eraseAccountsNow,
    logger,
    metrics,
  });
  await serve(stack, server, { port: config.PORT, host });
});
