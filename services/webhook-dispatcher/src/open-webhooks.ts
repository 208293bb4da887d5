import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { openQueue } from '@atrium/events/queue';
import { openJobRequests } from '@atrium/events/scheduled-jobs';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import type { ProcessContext } from '@atrium/service-kit/lifecycle';
import type { Server } from '@atrium/service-kit/server';
import { createRestingEndpoints } from './endpoints/resting-endpoints.ts';
import { openService, type Timeouts } from '@atrium/service-kit/service';
import { buildApp, type WebhooksDeps } from './app.ts';
import type { WebhooksConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { createChangeLog } from './live/change-log.ts';
import { startChangePublisher } from './live/change-publisher.ts';
import { createRecoveryRequests, RECOVERIES_QUEUE } from './recoveries/recoveries.ts';
import { readThroughput } from './scheduling/throughput.ts';
import { createWorkerWaker } from './scheduling/wake.ts';
import { createAddressGuard } from '@atrium/service-kit/address-guard';

type Replaced = 'authenticator' | 'rateLimiter' | 'addressQueries' | 'clockMs';

interface Overrides extends Partial<Pick<WebhooksDeps, Replaced>> {
  timeouts?: Timeouts;
}

/** Opens everything that the API of webhooks works with on the stack of its process. */
export async function openWebhooks(
  context: ProcessContext,
  config: WebhooksConfig,
  { timeouts, ...overrides }: Overrides = {},
): Promise<WebhooksDeps & { server: Server }> {
  const { stack, logger } = context;
  const opened = await openService(context, {
    name: 'webhook-dispatcher',
    product: 'webhooks',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE],
    timeouts,
  });
  const service = { ...opened, ...overrides };
  const { redisUrl, queuePrefix, clockMs } = service;
  const redis = service.redis.client;
  const location = { redisUrl, queuePrefix };
  const recoveryJobs = stack.use(openJobRequests(RECOVERIES_QUEUE, location, logger));
  const { queue: events } = stack.use(openQueue(EVENTS_QUEUE, location, logger));
  const changeLog = createChangeLog({ redis, queuePrefix, clockMs });
  const { publish } = stack.use(startChangePublisher(changeLog, logger));
  const deps: WebhooksDeps = {
    ...service,
    changeLog,
    countEventBatches: () =>
      events.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'active'),
    readThroughput: () => readThroughput({ redis, queuePrefix }, clockMs()),
    publishChanges: publish,
    keyRing: parseKeyRing(config.SECRETS_KEYS),
    guard: createAddressGuard(config.WEBHOOK_ALLOWED_NETWORKS),
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    delaysMs: config.WEBHOOK_RETRY_DELAYS_MS,
    webUrl: config.WEB_URL,
    cronSecret: config.CRON_SECRET,
    traceUrlTemplate: config.TRACE_URL_TEMPLATE,
    wakeWorkers: createWorkerWaker(redis, queuePrefix, logger),
    restingEndpoints: createRestingEndpoints(redis, queuePrefix, logger),
    requestRecoveries: createRecoveryRequests(recoveryJobs, logger),
  };
  return { ...deps, server: await buildApp(deps) };
}
