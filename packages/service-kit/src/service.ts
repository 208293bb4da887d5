import { fileURLToPath } from 'node:url';
import type { DataService, Message } from '@atrium/contracts/account-messages';
import { INBOX, type Inbox, type OutboxQueue } from '@atrium/contracts/queues';
import { type AccountData, accountDataHandler } from './account-data/account-data.ts';
import { startMessageConsumer } from '@atrium/events/message-consumer';
import { observeOutbox } from '@atrium/events/outbox-metrics';
import { startRelay } from '@atrium/events/relay';
import type { PrismaPg } from '@prisma/adapter-pg';
import type { Static, TObject } from 'typebox';
import {
  type Authenticator,
  createAuthenticator,
  createKeySet,
  type KeySet,
  type Product,
} from './authentication/authentication.ts';
import { exchangeAt, type ExchangePersonalToken } from './authentication/personal-tokens.ts';
import { waitForAuth } from './authentication/wait-for-auth.ts';
import type { baseConfig } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import type { PrismaLike } from './database/prisma-queries.ts';
import type { Sql } from './database/sql.ts';
import { openDatabaseClock } from './database/database-clock.ts';
import {
  openReadReplica,
  type ReadReplica,
  type ReplicaTimeouts,
} from './database/read-replica.ts';
import type { ProcessContext } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import { createMetrics, type Metrics, observeConnections, startMetricsServer } from './metrics.ts';
import { assertMigrated } from './database/migrations.ts';
import { type ProcessTracing, openTracing } from './tracing/tracing.ts';
import type { TracingConfig } from './tracing/config.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limit.ts';
import { openRedis, type RedisHandle } from './redis.ts';
import {
  followRevokedSessions,
  type ReadRevokedSessions,
  type RevokedSessions,
  revokedSessionsOf,
} from './authentication/revoked-sessions.ts';

type Config = Static<TObject<typeof baseConfig>>;
type Check = () => Promise<void>;
type ServedData = Pick<AccountData, 'erase' | 'collections' | 'keepsPlans' | 'recordExternalId'>;

export interface Timeouts extends ReplicaTimeouts {
  connectTimeoutMs?: number;
  commandTimeoutMs?: number;
  fetchTimeoutMs?: number;
}

interface BackendOptions<Client> {
  /** Names the process in Postgres and Redis. */
  name: string;
  config: Pick<
    Config,
    'DATABASE_URL' | 'REDIS_URL' | 'QUEUE_PREFIX' | 'RELAY_INTERVAL_MS' | keyof TracingConfig
  >;
  createPrisma: (adapter: PrismaPg) => Client;
  /** The folder of the service's migrations. */
  migrations: URL;
  /** The queues that this process relays outbox rows to; none by default. */
  queues?: readonly OutboxQueue[];
  /** Only tests change them. */
  timeouts?: Timeouts | undefined;
}

/** What every process of a service works with. */
export interface Backends<Client = unknown> {
  readonly name: string;
  readonly logger: Logger;
  /** The time of the database: see `openDatabaseClock`. */
  readonly clockMs: () => number;
  readonly database: Database<Client>;
  /** A connection of its own, which waits behind no request. */
  readonly probe: Sql;
  readonly redis: RedisHandle;
  readonly redisUrl: string;
  readonly queuePrefix: string;
  readonly metrics: Metrics;
  /** Undefined unless the process traces. */
  readonly tracing?: ProcessTracing | undefined;
  readonly ready: Record<'postgres' | 'redis', Check>;
  /** Handles the messages of an inbox until the process ends. */
  consumeMessages(queue: Inbox, handle: (message: Message) => Promise<void>): void;
  /** Erases and exports what the service holds of an account when auth asks for it. */
  serveAccountData(service: DataService, data: ServedData): void;
}

/**
 * Opens the database, Redis, the outbox relay and the metrics of a process on its stack.
 *
 * @throws MigrationError when the database is not migrated to what this code expects
 */
export async function openBackends<Client extends PrismaLike>(
  { stack, logger }: ProcessContext,
  { name, config, createPrisma, migrations, queues = [], timeouts }: BackendOptions<Client>,
): Promise<Backends<Client>> {
  const { DATABASE_URL: url, REDIS_URL: redisUrl, QUEUE_PREFIX: queuePrefix } = config;
  const { RELAY_INTERVAL_MS: intervalMs } = config;
  const queueOptions = { redisUrl, queuePrefix, logger };
  const metrics = createMetrics({ exemplars: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined });
  // First, so that it sends the last spans of all others.
  const tracing = await openTracing({ config, service: name, logger, metrics });
  if (tracing !== undefined) stack.use(tracing);
  const database = stack.use(
    openDatabase({ url, applicationName: name, logger, createPrisma, tracing, ...timeouts }),
  );
  await assertMigrated({ pool: database.pool, directory: fileURLToPath(migrations) });
  const probe = stack.use(
    openDatabase({ url, max: 1, applicationName: `${name}-readiness`, logger, ...timeouts }),
  );
  const redis = stack.use(
    await openRedis({ url: redisUrl, logger, connectionName: name, ...timeouts }),
  );
  const clock = stack.use(await openDatabaseClock(database, { logger }));
  const relay = stack.use(
    startRelay({
      pool: database.pool,
      producer: name,
      queues,
      intervalMs,
      tracing,
      ...queueOptions,
    }),
  );
  database.wakeAfterCommit((queue, delayMs) => relay.wake(queue, delayMs));
  observeConnections(metrics, database.pool);
  if (queues.length > 0) observeOutbox(metrics, database.pool);
  const consumeMessages: Backends['consumeMessages'] = (queue, handle) => {
    stack.use(startMessageConsumer({ queue, handle, tracing, ...queueOptions }));
  };
  return {
    ...queueOptions,
    name,
    clockMs: () => clock.nowMs(),
    database,
    probe,
    redis,
    metrics,
    tracing,
    ready: { postgres: () => probe.check(), redis: () => redis.check() },
    consumeMessages,
    serveAccountData(service, data) {
      consumeMessages(INBOX[service], accountDataHandler({ ...data, service, database }));
    },
  };
}

/** Where the public keys and the revoked sessions come from. */
export interface TokenAuthority {
  keySet: KeySet;
  readRevokedSessions: ReadRevokedSessions;
  exchange: ExchangePersonalToken;
}

/** What every HTTP server of a service works with. */
export interface Service<Client = unknown> extends Backends<Client> {
  readonly authenticator: Authenticator;
  readonly revokedSessions: RevokedSessions;
  readonly rateLimiter: RateLimiter;
  readonly ready: Record<'postgres' | 'redis' | 'revokedSessions', Check>;
  readonly corsOrigins: string[];
  readonly trustProxy: boolean | string;
  readonly version: string;
}

/** Adds authentication, rate limits and the metrics server to the backends of an HTTP service. */
export async function openApi<Client>(
  { stack }: ProcessContext,
  backends: Backends<Client>,
  {
    config,
    authority,
    product,
  }: { config: Config; authority: TokenAuthority; product?: Product | undefined },
): Promise<Service<Client>> {
  const { name, logger, clockMs, metrics, queuePrefix, redis } = backends;
  const { keySet, readRevokedSessions: read, exchange } = authority;
  const revokedSessions = stack.use(await followRevokedSessions({ read, logger, clockMs }));
  const { METRICS_PORT: port, HOST: host } = config;
  stack.use(await startMetricsServer({ port, host, registry: metrics }));
  const rateLimiter = createRateLimiter({
    redis: redis.client,
    keyPrefix: `${queuePrefix}:${name}`,
    enabled: config.RATE_LIMITS === 'on',
    clockMs,
    logger,
    perMinute: {
      account: config.RATE_LIMIT_PER_ACCOUNT,
      ip: config.RATE_LIMIT_PER_ADDRESS,
    },
  });
  return {
    ...backends,
    revokedSessions,
    authenticator: createAuthenticator({
      keySet,
      isRevoked: revokedSessions.isRevoked,
      exchange,
      product,
      clockMs,
      limiter: rateLimiter.defaults && rateLimiter,
    }),
    rateLimiter,
    ready: { ...backends.ready, revokedSessions: () => revokedSessions.check() },
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY,
    version: config.ATRIUM_VERSION,
  };
}

/** What every HTTP service besides auth works with. */
export interface ProductService<Client = unknown> extends Service<Client> {
  readonly replica: ReadReplica<Client>;
}

/** Opens everything that the HTTP services besides auth have in common, on the process's stack. */
export async function openService<Client extends PrismaLike>(
  context: ProcessContext,
  options: BackendOptions<Client> & {
    config: Config & { DATABASE_READ_URL?: string };
    product: Product;
  },
): Promise<ProductService<Client>> {
  const { AUTH_URL: authUrl } = options.config;
  const { logger } = context;
  const keySet = createKeySet({
    url: `${authUrl}/.well-known/jwks.json`,
    logger,
    ...options.timeouts,
  });
  const authority = {
    keySet,
    readRevokedSessions: revokedSessionsOf(authUrl),
    exchange: exchangeAt(authUrl),
  };
  const backends = await openBackends(context, options);
  const { config, product, createPrisma, timeouts } = options;
  const service = await openApi(context, backends, { config, authority, product });
  const url = config.DATABASE_READ_URL;
  const replica = await openReadReplica(context, { ...backends, url, createPrisma, timeouts });
  const ready = { ...service.ready, keySet: () => keySet.check() };
  await waitForAuth([ready.keySet, ready.revokedSessions]);
  return { ...service, replica, ready };
}
