import { fileURLToPath } from 'node:url';
import { openJobRequests } from '@atrium/events/scheduled-jobs';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase, PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { followRevokedSessions, revokedSessionsOf } from '@atrium/service-kit/revoked-sessions';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics, startMetricsServer } from '@atrium/service-kit/metrics';
import { assertMigrated } from '@atrium/service-kit/migrations';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import { PrismaPg } from '@prisma/adapter-pg';
import { buildApp } from './app.ts';
import { WebhooksConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';
import { createRecoveryRequests, RECOVERIES_QUEUE } from './recoveries/recoveries.ts';
import { createWorkerWaker } from './scheduling/wake.ts';
import { createAddressGuard } from './sending/address-guard.ts';

await runProcess('webhook-dispatcher', async ({ env, stack, logger }) => {
  const config = readConfig(WebhooksConfig, env);
  const { HOST: host, QUEUE_PREFIX: queuePrefix, REDIS_URL: redisUrl } = config;
  const database = stack.use(
    openDatabase({ url: config.DATABASE_URL, applicationName: 'webhook-dispatcher', logger }),
  );
  const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
  await assertMigrated({ pool: database.pool, directory });
  const redis = stack.use(await openRedis({ url: redisUrl, logger }));
  const metrics = createMetrics();
  stack.use(await startMetricsServer({ port: config.METRICS_PORT, host, registry: metrics }));
  const clockMs = Date.now;
  const revokedSessions = stack.use(
    await followRevokedSessions({ read: revokedSessionsOf(config.AUTH_URL), logger }),
  );
  const keySet = createKeySet({ url: `${config.AUTH_URL}/.well-known/jwks.json`, logger });

  const recoveryJobs = stack.use(
    openJobRequests(RECOVERIES_QUEUE, { redisUrl, queuePrefix }, logger),
  );
  const server = await buildApp({
    logger,
    metrics,
    database,
    prisma: new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) }),
    authenticator: createAuthenticator({ keySet, isRevoked: revokedSessions.isRevoked, clockMs }),
    rateLimiter: createRateLimiter({
      redis: redis.client,
      queuePrefix,
      enabled: config.RATE_LIMITS === 'on',
      clockMs,
      logger,
    }),
    keyRing: parseKeyRing(config.SECRETS_KEYS),
    guard: createAddressGuard(config.WEBHOOK_ALLOWED_NETWORKS),
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    cronSecret: config.CRON_SECRET,
    wakeWorkers: createWorkerWaker(redis.client, queuePrefix, logger),
    requestRecoveries: createRecoveryRequests(recoveryJobs, logger),
    ready: {
      postgres: () => database.check(),
      redis: () => redis.check(),
      revocations: () => revokedSessions.check(),
    },
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY,
    clockMs,
  });
  await serve(stack, server, { port: config.PORT, host });
});
