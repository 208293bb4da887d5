import { fileURLToPath } from 'node:url';
import { startRelay } from '@atrium/events/relay';
import { openDatabase } from '@atrium/service-kit/database';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics, startMetricsServer } from '@atrium/service-kit/metrics';
import { assertMigrated } from '@atrium/service-kit/migrations';
import { openRedis } from '@atrium/service-kit/redis';
import { PrismaPg } from '@prisma/adapter-pg';
import { buildApp } from './app.ts';
import { readAuthConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';
import { loadSigningKeys } from './keys/signing-keys.ts';
import { startMailDispatcher } from './mail/dispatcher.ts';
import { createMailOutbox } from './mail/outbox.ts';
import { fileTransport, smtpTransport } from './mail/transport.ts';
import { createPasswordHasher } from './passwords/hasher.ts';

await runProcess('auth', async ({ env, stack, logger }) => {
  const config = readAuthConfig(env);
  const { keyRing, HOST: host, REDIS_URL: redisUrl, QUEUE_PREFIX: queuePrefix } = config;

  const database = stack.use(
    openDatabase({ url: config.DATABASE_URL, applicationName: 'auth', logger }),
  );
  const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
  await assertMigrated({ pool: database.pool, directory });
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool) });
  stack.defer(() => prisma.$disconnect());
  const redis = stack.use(await openRedis({ url: redisUrl, logger, connectionName: 'auth' }));
  const signingKeys = await loadSigningKeys({ database, keyRing });

  const mailOutbox = createMailOutbox({ sql: database, keyRing });
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config;
  const transport = stack.use(
    smtpUrl === undefined
      ? fileTransport({ directory: config.MAIL_DIR, from, logger })
      : smtpTransport({ url: smtpUrl, from }),
  );
  const dispatcher = stack.use(
    startMailDispatcher({ outbox: mailOutbox, transport, redisUrl, queuePrefix, logger }),
  );
  const relay = stack.use(startRelay({ pool: database.pool, redisUrl, queuePrefix, logger }));

  const metrics = createMetrics();
  stack.use(await startMetricsServer({ port: config.METRICS_PORT, host, registry: metrics }));
  const server = await buildApp({
    config,
    database,
    prisma,
    redis,
    signingKeys,
    hasher: await createPasswordHasher(),
    mailOutbox,
    wakeMail: () => dispatcher.wake(),
    wakeRelay: () => relay.wake(),
    logger,
    metrics,
  });
  await serve(stack, server, { port: config.PORT, host });
});
