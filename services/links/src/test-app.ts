import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { openDatabase, type Database } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { startTokenIssuer, type TokenWishes } from '@atrium/testkit/tokens';
import type { Redis } from 'ioredis';
import { buildApp } from './app.ts';
import { type ClickJournal, createClickJournal } from './clicks/journal.ts';
import { storeOrphanedClicks } from './clicks/orphans.ts';
import { ClickRecorder } from './clicks/recorder.ts';
import { type ClickStore, createClickStore } from './clicks/store.ts';
import { startInvalidation } from './redirect/invalidation.ts';
import { createLinkCache } from './redirect/link-cache.ts';
import { findTarget } from './redirect/store.ts';
import { type Gate, startGate } from './test-outage.ts';

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
) => Promise<Answer>;

export interface Replica extends AsyncDisposable {
  server: Server;
  /** In front of this replica's Postgres and Redis. */
  gates: { postgres: Gate; redis: Gate };
  redis: Redis;
  follow(slug: string, userAgent?: string): Promise<{ status: number; location: unknown }>;
}

export interface TestPlatform extends AsyncDisposable {
  /** Straight to the database, past every gate. */
  db: Database;
  store: ClickStore;
  journal: ClickJournal;
  replica(): Promise<Replica>;
  as(wishes?: TokenWishes): (replica: Replica) => Caller;
  /** An access token of some account. */
  token(): string;
}

const logger = createLogger({ service: 'links', level: 'silent' });

export async function startTestPlatform(): Promise<TestPlatform> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase('links'));
  const issuer = stack.use(await startTokenIssuer());
  const db = stack.use(
    openDatabase({ url: database.url, applicationName: 'links-test', ...TEST_TIMEOUTS }),
  );
  const { url: redisUrl, queuePrefix } = testRedis();
  const { client: redis } = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  const kept = stack.move();
  return {
    db,
    store: createClickStore(db),
    journal: createClickJournal({ redis, queuePrefix, clockMs: Date.now, logger }),
    token: () => issuer.issueToken(),
    replica: () => startReplica({ databaseUrl: database.url, redisUrl, queuePrefix, issuer }),
    as(wishes = {}) {
      const token = issuer.issueToken(wishes);
      return (replica) => async (method, url, body) => {
        const response = await replica.server.inject({
          method,
          url,
          headers: { authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { payload: body }),
        });
        const text = response.body;
        return { status: response.statusCode, body: text === '' ? {} : JSON.parse(text) };
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The production app, with everything that `main` gives it except a relay. */
async function startReplica(options: {
  databaseUrl: string;
  redisUrl: string;
  queuePrefix: string;
  issuer: { jwksUrl: string };
}): Promise<Replica> {
  await using stack = new AsyncDisposableStack();
  const { queuePrefix } = options;
  const clockMs = Date.now;
  const gates = {
    postgres: stack.use(await startGate(options.databaseUrl)),
    redis: stack.use(await startGate(options.redisUrl)),
  };
  const db = stack.use(
    openDatabase({ url: gates.postgres.url, applicationName: 'links', logger, ...TEST_TIMEOUTS }),
  );
  const redisHandle = stack.use(
    await openRedis({ url: gates.redis.url, logger, ...TEST_TIMEOUTS }),
  );
  const redis = redisHandle.client;
  const clicks = {
    journal: createClickJournal({ redis, queuePrefix, clockMs, logger }),
    store: createClickStore(db),
    logger,
    onEventsStored: () => undefined,
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
      redisUrl: gates.redis.url,
      queuePrefix,
      logger,
    }),
  );
  const cache = createLinkCache({
    load: (slug) => findTarget(db, slug),
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
    db,
    cache,
    recorder,
    invalidation,
    clockMs,
    authenticator: createAuthenticator({ keySet }),
    limiter: createRateLimiter({ redis, queuePrefix, enabled: true, clockMs }),
    ready: { postgres: () => db.check(), redis: () => redisHandle.check() },
    linksUrl: 'https://go.example',
    corsOrigins: [],
    trustProxy: false,
  });
  stack.defer(() => server.close());
  const kept = stack.move();
  return {
    server,
    gates,
    redis,
    async follow(slug, userAgent = FIREFOX) {
      const response = await server.inject({
        url: `/${slug}`,
        headers: { 'user-agent': userAgent },
      });
      return { status: response.statusCode, location: response.headers['location'] };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
