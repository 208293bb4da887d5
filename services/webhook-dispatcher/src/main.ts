import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { openQueue } from '@atrium/events/queue';
import { openJobRequests } from '@atrium/events/scheduled-jobs';
import { readConfig } from '@atrium/service-kit/config';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { openService } from '@atrium/service-kit/service';
import { createPrisma } from './database.ts';
import { buildApp } from './app.ts';
import { WebhooksConfig } from './config.ts';
import { createChangeLog } from './live/change-log.ts';
import { startChangePublisher } from './live/change-publisher.ts';
import { createRecoveryRequests, RECOVERIES_QUEUE } from './recoveries/recoveries.ts';
import { readThroughput } from './scheduling/throughput.ts';
import { createWorkerWaker } from './scheduling/wake.ts';
import { createAddressGuard } from './sending/address-guard.ts';

await runProcess('webhook-dispatcher', async (context) => {
  const { env, stack, logger } = context;
  const config = readConfig(WebhooksConfig, env);
  const service = await openService(context, {
    name: 'webhook-dispatcher',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
  });
  const { redis, redisUrl, queuePrefix } = service;
  const recoveryJobs = stack.use(
    openJobRequests(RECOVERIES_QUEUE, { redisUrl, queuePrefix }, logger),
  );
  const { queue: events } = stack.use(openQueue(EVENTS_QUEUE, { redisUrl, queuePrefix }, logger));
  const changeLog = createChangeLog({ redis: redis.client, queuePrefix, clockMs: service.clockMs });
  const { publish } = stack.use(startChangePublisher(changeLog, logger));
  const server = await buildApp({
    ...service,
    changeLog,
    countEventBatches: () =>
      events.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'active'),
    readThroughput: () => readThroughput({ redis: redis.client, queuePrefix }, service.clockMs()),
    publishChanges: publish,
    keyRing: parseKeyRing(config.SECRETS_KEYS),
    guard: createAddressGuard(config.WEBHOOK_ALLOWED_NETWORKS),
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    delaysMs: config.WEBHOOK_RETRY_DELAYS_MS,
    cronSecret: config.CRON_SECRET,
    wakeWorkers: createWorkerWaker(redis.client, queuePrefix, logger),
    requestRecoveries: createRecoveryRequests(recoveryJobs, logger),
  });
  await serve(stack, server, { port: config.PORT, host: config.HOST });
});
