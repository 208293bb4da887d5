import { fileURLToPath } from 'node:url';
import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { accountDataHandler } from '@atrium/events/account-data';
import { startMessageConsumer } from '@atrium/events/message-consumer';
import { observeOutbox } from '@atrium/events/outbox-metrics';
import { startRelay } from '@atrium/events/relay';
import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase, PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { followRevokedSessions, revokedSessionsOf } from '@atrium/service-kit/revoked-sessions';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics, startMetricsServer } from '@atrium/service-kit/metrics';
import { assertMigrated } from '@atrium/service-kit/migrations';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import { PrismaPg } from '@prisma/adapter-pg';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp } from './app.ts';
import { createClickJournal } from './clicks/journal.ts';
import { storeOrphanedClicks } from './clicks/orphans.ts';
import { ClickRecorder } from './clicks/recorder.ts';
import { createClickStore } from './clicks/store.ts';
import { LinksConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';
import { startInvalidation } from './redirect/invalidation.ts';
import { createLinkCache } from './redirect/link-cache.ts';
import { findTarget } from './redirect/store.ts';

const migrations = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

await runProcess('links', async ({ env, stack, logger }) => {
  const config = readConfig(LinksConfig, env);
  const { HOST: host, QUEUE_PREFIX: queuePrefix, REDIS_URL: redisUrl } = config;
  const clockMs = Date.now;

  const database = stack.use(
    openDatabase({ url: config.DATABASE_URL, applicationName: 'links', logger }),
  );
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  await assertMigrated({ pool: database.pool, directory: migrations });
  const redisHandle = stack.use(
    await openRedis({ url: redisUrl, logger, connectionName: 'links' }),
  );
  const redis = redisHandle.client;
  const { AUTH_URL: authUrl } = config;
  const revokedSessions = stack.use(
    await followRevokedSessions({ read: revokedSessionsOf(config.AUTH_URL), logger }),
  );
  const place = { redisUrl, queuePrefix, logger };
  const queues = [EVENTS_QUEUE, INBOX.auth] as const;
  const relay = stack.use(startRelay({ pool: database.pool, queues, ...place }));
  const clicks = {
    journal: createClickJournal({ redis, queuePrefix, clockMs, logger }),
    store: createClickStore(database),
    logger,
    onEventsStored: () => relay.wake(),
  };
  const recorder = stack.use(new ClickRecorder(clicks));
  const jobs = {
    'store-orphaned-clicks': {
      everyMs: 10_000,
      run: (signal: AbortSignal) => storeOrphanedClicks(clicks, signal),
    },
  };
  stack.use(startScheduledJobs({ queue: 'links-jobs', jobs, ...place }));
  const cache = createLinkCache({
    load: (slug) => findTarget(database, slug),
    onRefreshFailed: (error) => logger.debug({ err: error }, 'cached link not refreshed'),
    clockMs,
  });
  const invalidation = stack.use(
    startInvalidation({
      redis,
      queuePrefix,
      logger,
      onChanged: (slug) => cache.forget(slug),
      onGap: () => cache.expireAll(),
    }),
  );
  const forgetSlugs = (slugs: string[]) => {
    for (const slug of slugs) cache.forget(slug);
    invalidation.announce(slugs);
  };
  stack.use(
    startMessageConsumer({
      queue: INBOX.links,
      handle: accountDataHandler({
        service: 'links',
        sql: database,
        erase: (accountId) => eraseAccount(prisma, accountId, forgetSlugs),
        collections: (accountId) => accountCollections(prisma, accountId),
        onSent: () => relay.wake(INBOX.auth),
      }),
      ...place,
    }),
  );
  const registry = createMetrics();
  observeOutbox(registry, database.pool);
  stack.use(await startMetricsServer({ port: config.METRICS_PORT, host, registry }));

  const server = await buildApp({
    logger,
    prisma,
    cache,
    recorder,
    invalidation,
    clockMs,
    metrics: registry,
    authenticator: createAuthenticator({
      keySet: createKeySet({ url: `${authUrl}/.well-known/jwks.json` }),
      isRevoked: revokedSessions.isRevoked,
    }),
    rateLimiter: createRateLimiter({
      redis,
      queuePrefix,
      enabled: config.RATE_LIMITS === 'on',
      clockMs,
      logger,
    }),
    // Not the revoked sessions: what needs them answers 503 by itself, and redirects go on without.
    ready: { postgres: () => database.check(), redis: () => redisHandle.check() },
    linksUrl: config.LINKS_URL,
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY,
  });
  await serve(stack, server, { port: config.PORT, host });
});
