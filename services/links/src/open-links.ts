import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import type { ProcessContext } from '@atrium/service-kit/lifecycle';
import { openSearchDatabase } from '@atrium/service-kit/search-database';
import type { Server } from '@atrium/service-kit/server';
import { openService, type Timeouts } from '@atrium/service-kit/service';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp, type LinksDeps } from './app.ts';
import { createClickJournal } from './clicks/journal.ts';
import { countNotRecorded } from './clicks/metrics.ts';
import { ClickRecorder } from './clicks/recorder.ts';
import { createClickStore } from './clicks/store.ts';
import type { LinksConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { startJobs } from './jobs.ts';
import { startInvalidation } from './redirect/invalidation.ts';
import { createLinkCache } from './redirect/link-cache.ts';
import { findTarget } from './redirect/store.ts';

interface Overrides extends Partial<Pick<LinksDeps, 'clockMs'>> {
  timeouts?: Timeouts;
  /** How long a link is cached. */
  ttlMs?: number;
  /** Whether it runs the jobs: tests do so themselves. */
  hasJobs?: boolean;
}

/** Opens everything that links works with on the stack of its process. */
export async function openLinks(
  context: ProcessContext,
  config: LinksConfig,
  { timeouts, ttlMs, hasJobs = true, ...overrides }: Overrides = {},
): Promise<LinksDeps & { server: Server }> {
  const { stack, logger } = context;
  const opened = await openService(context, {
    name: 'links',
    product: 'links',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE, INBOX.auth],
    timeouts,
  });
  const service = { ...opened, ...overrides };
  const { database, clockMs, redisUrl, queuePrefix, metrics } = service;
  const redis = service.redis.client;
  const limited = config.RATE_LIMITS === 'on';
  const clicks = {
    journal: createClickJournal({ redis, queuePrefix, clockMs, logger, limited }),
    store: createClickStore(database, service.tracing),
    logger,
    onNotRecorded: countNotRecorded(metrics),
  };
  const recorder = stack.use(new ClickRecorder(clicks));
  if (hasJobs) {
    const clickRetentionDays = config.CLICK_RETENTION_DAYS;
    const jobs = { database, clicks, clickRetentionDays, metrics, redisUrl, queuePrefix, clockMs };
    stack.use(startJobs(jobs));
  }
  const cache = createLinkCache({
    load: (slug) => findTarget(database, slug),
    onRefreshFailed: (error) => logger.debug({ err: error }, 'cached link not refreshed'),
    clockMs,
    ttlMs,
  });
  const invalidation = stack.use(
    startInvalidation({
      redis: service.redis,
      queuePrefix,
      logger,
      onChanged: (slug) => cache.forget(slug),
      onGap: () => cache.expireAll(),
    }),
  );
  const onSlugsChanged = (slugs: string[]) => {
    for (const slug of slugs) cache.forget(slug);
    invalidation.announce(slugs);
  };
  service.serveAccountData('links', {
    erase: (accountId) => eraseAccount(database, accountId, onSlugsChanged),
    collections: (accountId) => accountCollections(database, accountId),
    keepsPlans: true,
  });
  const deps: LinksDeps = {
    ...service,
    // Redirects do not need the revoked sessions; routes that do answer 503.
    ready: { postgres: service.ready.postgres, redis: service.ready.redis },
    searchDatabase: stack.use(
      openSearchDatabase({ service: 'links', url: config.DATABASE_URL, logger, ...timeouts }),
    ),
    cache,
    recorder,
    onSlugsChanged,
    linksUrl: config.LINKS_URL,
  };
  return { ...deps, server: await buildApp(deps) };
}
