import { INBOX } from '@atrium/contracts/queues';
import { openDatabase } from '@atrium/service-kit/database';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import type { ProcessContext } from '@atrium/service-kit/lifecycle';
import type { Server } from '@atrium/service-kit/server';
import { openBackends, type Timeouts } from '@atrium/service-kit/service';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import type { WorkerConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { type DeliveryWorkerDeps, startDeliveryWorker } from './delivery-worker.ts';
import { recordExternalId } from './publishing/recipients.ts';
import { LEASING_SETTINGS } from './scheduling/lease-store.ts';
import { createAddressGuard } from '@atrium/service-kit/address-guard';
import { createWorkerServer } from './worker-server.ts';

interface Overrides extends Partial<Pick<DeliveryWorkerDeps, 'addressQueries' | 'clockMs'>> {
  timeouts?: Timeouts;
}

/** Opens everything that ingests and delivers on the stack of its process, and the server of its metrics. */
export async function openDeliveryWorker(
  context: ProcessContext,
  config: WorkerConfig,
  { timeouts, ...overrides }: Overrides = {},
): Promise<Server> {
  const { stack, logger } = context;
  const opened = await openBackends(context, {
    name: 'webhook-worker',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [INBOX.auth],
    timeouts,
  });
  const backends = { ...opened, ...overrides };
  const { database, metrics } = backends;
  backends.serveAccountData('webhooks', {
    erase: (accountId) => eraseAccount(database, accountId),
    collections: (accountId) => accountCollections(database, accountId),
    keepsPlans: true,
    recordExternalId: (accountId, externalId) => recordExternalId(database, accountId, externalId),
  });
  const leasing = stack.use(
    openDatabase({
      url: config.DATABASE_URL,
      settings: LEASING_SETTINGS,
      max: 2,
      applicationName: 'webhook-worker-lease',
      logger,
      ...timeouts,
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
  return createWorkerServer({ logger, metrics, ready });
}
