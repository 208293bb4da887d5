import { INBOX } from '@atrium/contracts/queues';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase } from '@atrium/service-kit/database';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { openBackends } from '@atrium/service-kit/service';
import { createPrisma } from './database.ts';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { WorkerConfig } from './config.ts';
import { startDeliveryWorker } from './delivery-worker.ts';
import { leasingUrl } from './scheduling/lease-store.ts';
import { createAddressGuard } from './sending/address-guard.ts';
import { createWorkerServer } from './worker-server.ts';

await runProcess('webhook-worker', async (context) => {
  const { env, stack, logger } = context;
  const config = readConfig(WorkerConfig, env);
  const backends = await openBackends(context, {
    name: 'webhook-worker',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [INBOX.auth],
  });
  const { database, metrics } = backends;
  backends.serveAccountData('webhooks', {
    erase: (accountId) => eraseAccount(database, accountId),
    collections: (accountId) => accountCollections(database, accountId),
  });
  const leasing = stack.use(
    openDatabase({
      url: leasingUrl(config.DATABASE_URL),
      max: 2,
      applicationName: 'webhook-worker-lease',
      logger,
    }),
  );
  const worker = stack.use(
    startDeliveryWorker({
      ...backends,
      redis: backends.redis.client,
      leasing,
      keyRing: parseKeyRing(config.SECRETS_KEYS),
      guard: createAddressGuard(config.WEBHOOK_ALLOWED_NETWORKS),
      allowHttp: config.WEBHOOK_ALLOW_HTTP,
      requestTimeoutMs: config.WEBHOOK_TIMEOUT_MS,
      delaysMs: config.WEBHOOK_RETRY_DELAYS_MS,
      concurrency: config.WORKER_CONCURRENCY,
      accountBacklogMax: config.WEBHOOK_ACCOUNT_BACKLOG,
      retentionDays: config.WEBHOOK_RETENTION_DAYS,
    }),
  );
  const ready = { ...backends.ready, deliveries: () => worker.checkProgress() };
  const server = await createWorkerServer({ logger, metrics, ready });
  await serve(stack, server, { port: config.METRICS_PORT, host: config.HOST });
});
