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
import { purgeProcessedMessages } from './lifecycle/account-messages/store.ts';
import { startEraser } from './lifecycle/deletion/eraser.ts';
import { buildApp } from './app.ts';
import { purgeAuditEvents } from './audit/store.ts';
import { readAuthConfig } from './config.ts';
import { purgeExportParts, purgeExports } from './lifecycle/export/store.ts';
import { PrismaClient } from './generated/client.ts';
import { openSigningKeys } from './signing-keys/signing-keys.ts';
import { deleteRetired } from './signing-keys/store.ts';
import { purgeEmailTokens } from './email/tokens/store.ts';
import { startEmailSender } from './email/outbox/sender.ts';
import { createEmailOutbox } from './email/outbox/outbox.ts';
import { createEmailTemplates } from './email/templates/templates.ts';
import { fileTransport, smtpTransport } from './email/transport/transport.ts';
import { createPasswordHasher, hashingLimits } from './passwords/hasher.ts';
import { lowerHashingPriority } from './passwords/hashing-priority.ts';
import { startPurges } from './purge.ts';
import { purgeDevices } from './sessions/device-store.ts';
import { purgeRefreshTokens, purgeSessions } from './sessions/refresh-store.ts';
import { purgeRevokedSessions, readRevokedSessions } from './sessions/revoked-session-store.ts';

const DAY_MS = 86_400_000;
/** Longer than a message is tried again. */
const HANDLED_MESSAGES_DAYS = 30;

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
      database,
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

  const emailOutbox = createEmailOutbox({ sql: database, keyRing });
  const templates = createEmailTemplates(config.WEB_URL);
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config;
  const transport = stack.use(
    smtpUrl === undefined
      ? fileTransport({ directory: config.MAIL_DIR, from, logger })
      : smtpTransport({ url: smtpUrl, from }),
  );
  const dispatcher = stack.use(
    startEmailSender({ outbox: emailOutbox, transport, redisUrl, queuePrefix, logger }),
  );
  const daysAgo = (days: number) => new Date(clockMs() - days * DAY_MS);
  const relay = stack.use(
    startRelay({
      pool: database.pool,
      queues: [EVENTS_QUEUE, ...Object.values(INBOX)],
      redisUrl,
      queuePrefix,
      logger,
    }),
  );
  stack.use(
    startMessageConsumer({
      queue: INBOX.auth,
      handle: createInbox({
        database,
        keyRing,
        templates,
        enqueueEmail: emailOutbox.post,
        wakeEmailSender: () => dispatcher.wake(),
        onSent: () => relay.wake(INBOX.auth),
        webUrl: config.WEB_URL,
        clockMs,
      }),
      redisUrl,
      queuePrefix,
      logger,
    }),
  );
  const eraser = stack.use(
    startEraser({
      database,
      templates,
      enqueueEmail: emailOutbox.post,
      wakeEmailSender: () => dispatcher.wake(),
      accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
      onSessionsEnded: () => revokedSessions.sync(),
      onMessages: (queue) => relay.wake(queue),
      logger,
      clockMs,
    }),
  );
  stack.use(
    startPurges({
      logger,
      purges: {
        sessions: (limit) => purgeSessions(database, clockMs(), limit),
        'refresh tokens': (limit) => purgeRefreshTokens(database, clockMs(), limit),
        devices: (limit) => purgeDevices(database, clockMs(), limit),
        'revoked sessions': (limit) => purgeRevokedSessions(database, clockMs(), limit),
        'audit events': (limit) =>
          purgeAuditEvents(database, { before: daysAgo(config.AUDIT_RETENTION_DAYS), limit }),
        mails: (limit) => emailOutbox.purge({ before: daysAgo(config.MAIL_RETENTION_DAYS), limit }),
        'mail links': (limit) => purgeEmailTokens(database, { before: daysAgo(0), limit }),
        'export parts': (limit) => purgeExportParts(database, daysAgo(0), limit),
        exports: (limit) => purgeExports(database, daysAgo(0), limit),
        'handled messages': (limit) =>
          purgeProcessedMessages(database, { before: daysAgo(HANDLED_MESSAGES_DAYS), limit }),
        'signing keys': () => deleteRetired(database, clockMs()),
      },
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
    wakeEmailSender: () => dispatcher.wake(),
    wakeRelay: (queue) => relay.wake(queue),
    wakeErasure: () => eraser.wake(),
    logger,
    metrics,
  });
  await serve(stack, server, { port: config.PORT, host });
});
