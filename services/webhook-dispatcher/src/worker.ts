import { fileURLToPath } from 'node:url';
import { INBOX } from '@atrium/contracts/queues';
import { accountDataHandler } from '@atrium/events/account-data';
import { startMessageConsumer } from '@atrium/events/message-consumer';
import { observeOutbox } from '@atrium/events/outbox-metrics';
import { startRelay } from '@atrium/events/relay';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase, PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics } from '@atrium/service-kit/metrics';
import { assertMigrated } from '@atrium/service-kit/migrations';
import { openRedis } from '@atrium/service-kit/redis';
import { PrismaPg } from '@prisma/adapter-pg';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { WorkerConfig } from './config.ts';
import { startDeliveryWorker } from './delivery-worker.ts';
import { PrismaClient } from './generated/client.ts';
import { leasingUrl } from './scheduling/lease-store.ts';
import { createAddressGuard } from './sending/address-guard.ts';
import { createWorkerServer } from './worker-server.ts';

await runProcess('webhook-worker', async ({ env, stack, logger }) => {
  const config = readConfig(WorkerConfig, env);
  const { DATABASE_URL: url, QUEUE_PREFIX: queuePrefix, REDIS_URL: redisUrl } = config;
  const database = stack.use(openDatabase({ url, applicationName: 'webhook-worker', logger }));
  const leasing = stack.use(
    openDatabase({
      url: leasingUrl(url),
      max: 2,
      applicationName: 'webhook-worker-lease',
      logger,
    }),
  );
  const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
  await assertMigrated({ pool: database.pool, directory });
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  const redis = stack.use(await openRedis({ url: redisUrl, logger }));
  const metrics = createMetrics();
  observeOutbox(metrics, database.pool);
  const location = { redisUrl, queuePrefix, logger };
  const relay = stack.use(startRelay({ pool: database.pool, queues: [INBOX.auth], ...location }));
  stack.use(
    startMessageConsumer({
      queue: INBOX.webhooks,
      handle: accountDataHandler({
        service: 'webhooks',
        sql: database,
        erase: (accountId) => eraseAccount(database, prisma, accountId),
        collections: (accountId) => accountCollections(prisma, accountId),
        onSent: () => relay.wake(INBOX.auth),
      }),
      ...location,
    }),
  );
  const worker = stack.use(
    startDeliveryWorker({
      redis: redis.client,
      logger,
      metrics,
      database,
      prisma,
      leasing,
      redisUrl,
      queuePrefix,
      keyRing: parseKeyRing(config.SECRETS_KEYS),
      guard: createAddressGuard(config.WEBHOOK_ALLOWED_NETWORKS),
      allowHttp: config.WEBHOOK_ALLOW_HTTP,
      requestTimeoutMs: config.WEBHOOK_TIMEOUT_MS,
      delaysMs: config.WEBHOOK_RETRY_DELAYS_MS,
      concurrency: config.WORKER_CONCURRENCY,
      retentionDays: config.WEBHOOK_RETENTION_DAYS,
      clockMs: Date.now,
    }),
  );
  const ready = {
    postgres: () => database.check(),
    redis: () => redis.check(),
    deliveries: () => worker.checkProgress(),
  };
  const server = await createWorkerServer({ logger, metrics, ready });
  await serve(stack, server, { port: config.METRICS_PORT, host: config.HOST });
});
