import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { openDatabase } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { openSearchDatabase } from '@atrium/service-kit/search-database';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { type Outage, startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { startTokenIssuer, type TokenIssuer, type TokenOptions } from '@atrium/testkit/tokens';
import type { Redis } from 'ioredis';
import { createPrisma, type Database } from './database.ts';
import { buildApp } from './app.ts';
import { type ClickJournal, createClickJournal } from './clicks/journal.ts';
import type { NotRecordedReason } from './clicks/metrics.ts';
import { storeOrphanedClicks } from './clicks/orphans.ts';
import { ClickRecorder } from './clicks/recorder.ts';
import { type ClickStore, createClickStore } from './clicks/store.ts';
import { startInvalidation } from './redirect/invalidation.ts';
import { createLinkCache } from './redirect/link-cache.ts';
import { findTarget } from './redirect/store.ts';

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Makes requests as one account. */
export type Caller = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface Replica extends AsyncDisposable {
  server: Server;
  /** Cut this replica off from its servers. */
  outages: { postgres: Outage; redis: Outage };
  redis: Redis;
  notRecorded: Record<NotRecordedReason, number>;
  /** Drops a link from the cache of this replica. */
  forget(slug: string): void;
  follow(
    slug: string,
    userAgent?: string,
    address?: string,
  ): Promise<{ status: number; location: unknown }>;
}

export interface TestPlatform extends AsyncDisposable {
  /** Without an outage proxy. */
  database: Database;
  store: ClickStore;
  journal: ClickJournal;
  /** Ends with the platform. With `nowMs`, its clock stands still. */
  replica(nowMs?: number): Promise<Replica>;
  as(claims?: TokenOptions): (replica: Replica) => Caller;
  issuer: TokenIssuer;
  /** An access token of some account. */
  token(): string;
}

const logger = createLogger({ service: 'links', level: 'silent' });

export async function startTestPlatform(): Promise<TestPlatform> {
  await using stack = new AsyncDisposableStack();
  const { url: databaseUrl } = stack.use(await createTestDatabase('links'));
  const issuer = stack.use(await startTokenIssuer());
  const database = stack.use(
    openDatabase({
      url: databaseUrl,
      applicationName: 'links-test',
      createPrisma,
      ...TEST_TIMEOUTS,
    }),
  );
  const { url: redisUrl, queuePrefix } = testRedis();
  const { client: redis } = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  const kept = stack.move();
  return {
    database,
    store: createClickStore(database),
    journal: createClickJournal({ redis, queuePrefix, clockMs: Date.now, logger, limited: false }),
    issuer,
    token: () => issuer.issueToken(),
    replica: async (nowMs) =>
      kept.use(
        await startReplica({
          databaseUrl,
          redisUrl,
          queuePrefix,
          issuer,
          clockMs: nowMs === undefined ? Date.now : () => nowMs,
        }),
      ),
    as(claims = {}) {
      const token = issuer.issueToken(claims);
      return (replica) =>
        async (method, url, body, headers = {}) => {
          const response = await replica.server.inject({
            method,
            url,
            headers: { authorization: `Bearer ${token}`, ...headers },
            ...(body === undefined ? {} : { payload: body }),
          });
          const text = response.body;
          return { status: response.statusCode, body: text === '' ? {} : JSON.parse(text) };
        };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The production app and what `main` starts beside it, without a relay. */
async function startReplica(options: {
  databaseUrl: string;
  redisUrl: string;
  queuePrefix: string;
  issuer: { jwksUrl: string };
  clockMs: () => number;
}): Promise<Replica> {
  await using stack = new AsyncDisposableStack();
  const { queuePrefix, clockMs } = options;
  const outages = {
    postgres: stack.use(await startOutage(options.databaseUrl)),
    redis: stack.use(await startOutage(options.redisUrl)),
  };
  const database = stack.use(
    openDatabase({
      url: outages.postgres.url,
      applicationName: 'links',
      createPrisma,
      logger,
      ...TEST_TIMEOUTS,
    }),
  );
  const searchDatabase = stack.use(
    openSearchDatabase({ service: 'links', url: outages.postgres.url, logger }),
  );
  const redisHandle = stack.use(
    await openRedis({ url: outages.redis.url, logger, ...TEST_TIMEOUTS }),
  );
  const redis = redisHandle.client;
  const notRecorded = { limit: 0, journal: 0 };
  const clicks = {
    journal: createClickJournal({ redis, queuePrefix, clockMs, logger, limited: true }),
    store: createClickStore(database),
    logger,
    onNotRecorded: (reason: NotRecordedReason, clicks: number) => {
      notRecorded[reason] += clicks;
    },
    orphanAgeMs: 200,
  };
  const recorder = stack.use(new ClickRecorder(clicks));
  stack.use(
    startScheduledJobs({
      queue: 'links-jobs',
      jobs: {
        'store-orphaned-clicks': {
          everyMs: 50,
          run: (signal) => storeOrphanedClicks(clicks, signal),
        },
      },
      redisUrl: outages.redis.url,
      queuePrefix,
      logger,
    }),
  );
  const cache = createLinkCache({
    load: (slug) => findTarget(database, slug),
    onRefreshFailed: () => undefined,
    clockMs,
    ttlMs: 100,
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
  const keySet = createKeySet({ url: options.issuer.jwksUrl, ...TEST_TIMEOUTS });
  const server = await buildApp({
    logger,
    database,
    searchDatabase,
    cache,
    recorder,
    invalidation,
    clockMs,
    authenticator: createAuthenticator({ keySet, isRevoked: () => false }),
    rateLimiter: createRateLimiter({ redis, keyPrefix: queuePrefix, enabled: true, clockMs }),
    ready: { postgres: () => database.check(), redis: () => redisHandle.check() },
    version: 'test',
    linksUrl: 'https://go.example',
    corsOrigins: [],
    trustProxy: false,
  });
  stack.defer(() => server.close());
  const kept = stack.move();
  return {
    server,
    outages,
    redis,
    notRecorded,
    forget: (slug) => cache.forget(slug),
    async follow(slug, userAgent = FIREFOX, remoteAddress = '127.0.0.1') {
      const response = await server.inject({
        url: `/${slug}`,
        headers: { 'user-agent': userAgent },
        remoteAddress,
      });
      return { status: response.statusCode, location: response.headers['location'] };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
