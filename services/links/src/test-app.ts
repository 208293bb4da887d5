import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import { openRedis } from '@atrium/service-kit/redis';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import type { ReplicatedDatabase } from '@atrium/testkit/standby';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { type Outage, startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { startTokenIssuer, type TokenIssuer, type TokenOptions } from '@atrium/testkit/tokens';
import type { RedisClient } from '@atrium/events/redis-client';
import { createPrisma, type Database } from './database.ts';
import { type ClickJournal, createClickJournal } from './clicks/journal.ts';
import { storeOrphanedClicks } from './clicks/orphans.ts';
import { type ClickStore, createClickStore } from './clicks/store.ts';
import { LinksConfig } from './config.ts';
import { openLinks } from './open-links.ts';

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
  redis: RedisClient;
  metrics: Metrics;
  /** How many clicks over the limit were not recorded. */
  clicksOverLimit(): Promise<number>;
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

export async function startTestPlatform(replicated?: ReplicatedDatabase): Promise<TestPlatform> {
  await using stack = new AsyncDisposableStack();
  const databaseUrl = replicated?.url ?? stack.use(await createTestDatabase('links')).url;
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
  const store = createClickStore(database);
  const clockMs = Date.now;
  const journal = createClickJournal({ redis, queuePrefix, clockMs, logger, limited: false });
  // The replicas run no jobs. This one finds orphans sooner than theirs would.
  const clicks = { journal, store, logger, orphanAgeMs: 200 };
  const jobs = {
    'store-orphaned-clicks': {
      everyMs: 50,
      run: (signal: AbortSignal) => storeOrphanedClicks(clicks, signal),
    },
  };
  stack.use(startScheduledJobs({ queue: 'links-jobs', jobs, redisUrl, queuePrefix, logger }));
  const readUrl = replicated?.readUrl;
  const servers = { databaseUrl, readUrl, redisUrl, queuePrefix, issuer };
  const kept = stack.move();
  return {
    database,
    store,
    journal,
    issuer,
    token: () => issuer.issueToken(),
    replica: async (nowMs) => kept.use(await startReplica({ ...servers, nowMs })),
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

/** The production service, which loses Postgres and Redis when its test wants it to. */
async function startReplica(options: {
  databaseUrl: string;
  readUrl: string | undefined;
  redisUrl: string;
  queuePrefix: string;
  issuer: TokenIssuer;
  nowMs: number | undefined;
}): Promise<Replica> {
  await using stack = new AsyncDisposableStack();
  const { queuePrefix, nowMs } = options;
  const outages = {
    postgres: stack.use(await startOutage(options.databaseUrl)),
    redis: stack.use(await startOutage(options.redisUrl)),
  };
  const config = readConfig(LinksConfig, {
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: outages.postgres.url,
    DATABASE_READ_URL: options.readUrl,
    REDIS_URL: outages.redis.url,
    QUEUE_PREFIX: queuePrefix,
    AUTH_URL: options.issuer.origin,
    LINKS_URL: 'https://go.example',
  });
  const context = { stack, env: {}, logger, shutdown: new AbortController().signal };
  const { server, redis, cache, metrics } = await openLinks(context, config, {
    timeouts: TEST_TIMEOUTS,
    ttlMs: 100,
    hasJobs: false,
    ...(nowMs === undefined ? {} : { clockMs: () => nowMs }),
  });
  stack.defer(() => server.close());
  const kept = stack.move();
  return {
    server,
    outages,
    redis: redis.client,
    metrics,
    async clicksOverLimit() {
      const counted = await metrics.getSingleMetric('clicks_not_recorded_total')?.get();
      return counted?.values.find(({ labels }) => labels['reason'] === 'limit')?.value ?? 0;
    },
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
