import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { readConfig } from '@atrium/service-kit/config';
import { purgeIdempotencyKeys } from '@atrium/service-kit/idempotency-store';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { openSearchDatabase } from '@atrium/service-kit/search-database';
import { openService } from '@atrium/service-kit/service';
import { createPrisma } from './database.ts';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp } from './app.ts';
import { createClickJournal } from './clicks/journal.ts';
import { countNotRecorded } from './clicks/metrics.ts';
import { storeOrphanedClicks } from './clicks/orphans.ts';
import { ClickRecorder } from './clicks/recorder.ts';
import { expireClicks, trimClicks } from './clicks/retention.ts';
import { createClickStore } from './clicks/store.ts';
import { LinksConfig } from './config.ts';
import { purgeDeletedLinks } from './links/purge.ts';
import { startInvalidation } from './redirect/invalidation.ts';
import { createLinkCache } from './redirect/link-cache.ts';
import { findTarget } from './redirect/store.ts';

await runProcess('links', async (context) => {
  const { env, stack, logger } = context;
  const config = readConfig(LinksConfig, env);
  const service = await openService(context, {
    name: 'links',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE, INBOX.auth],
  });
  const { database, clockMs, redisUrl, queuePrefix } = service;
  const searchDatabase = stack.use(
    openSearchDatabase({ service: 'links', url: config.DATABASE_URL, logger }),
  );
  const redis = service.redis.client;
  const clicks = {
    journal: createClickJournal({
      redis,
      queuePrefix,
      clockMs,
      logger,
      limited: config.RATE_LIMITS === 'on',
    }),
    store: createClickStore(database),
    logger,
    onNotRecorded: countNotRecorded(service.metrics),
  };
  const recorder = stack.use(new ClickRecorder(clicks));
  const jobs = {
    'store-orphaned-clicks': {
      everyMs: 10_000,
      run: (signal: AbortSignal) => storeOrphanedClicks(clicks, signal),
    },
    'purge-idempotency-keys': {
      everyMs: 3_600_000,
      run: (signal: AbortSignal) => purgeIdempotencyKeys(database, signal),
    },
    'expire-clicks': {
      everyMs: 3_600_000,
      run: (signal: AbortSignal) => expireClicks(database, config.CLICK_RETENTION_DAYS, signal),
    },
    'trim-clicks': {
      everyMs: 3_600_000,
      run: (signal: AbortSignal) => trimClicks(database, signal),
    },
    'purge-deleted-links': {
      everyMs: 60_000,
      run: (signal: AbortSignal) => purgeDeletedLinks(database, signal),
    },
  };
  stack.use(startScheduledJobs({ queue: 'links-jobs', jobs, redisUrl, queuePrefix, logger }));
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
  service.serveAccountData('links', {
    erase: (accountId) => eraseAccount(database, accountId, forgetSlugs),
    collections: (accountId) => accountCollections(database, accountId),
    keepsPlans: true,
  });
  const { postgres, redis: redisCheck } = service.ready;
  const server = await buildApp({
    ...service,
    // Redirects do not need the revoked sessions; routes that do answer 503.
    ready: { postgres, redis: redisCheck },
    searchDatabase,
    cache,
    recorder,
    invalidation,
    linksUrl: config.LINKS_URL,
  });
  await serve(stack, server, { port: config.PORT, host: config.HOST });
});
