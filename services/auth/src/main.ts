import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createPasswordHasher, hashingLimits } from '@atrium/service-kit/password-hasher';
import { openApi, openBackends } from '@atrium/service-kit/service';
import { PrismaPg } from '@prisma/adapter-pg';
import { createInbox } from './lifecycle/account-messages/inbox.ts';
import { buildApp } from './app.ts';
import { readAuthConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';
import { openSigningKeys } from './signing-keys/signing-keys.ts';
import { startEmailSender } from './email/outbox/sender.ts';
import { createEmailOutbox } from './email/outbox/store.ts';
import { createEmailTemplates } from './email/templates/templates.ts';
import { openEmailTransport } from './email/transport/transport.ts';
import { startAuthJobs } from './scheduled-jobs.ts';
import { lowerHashingPriority } from './passwords/hashing-priority.ts';
import { readRevokedSessions } from './sessions/revocation/revoked-session-store.ts';

await runProcess('auth', async (context) => {
  const { env, stack, logger } = context;
  const config = readAuthConfig(env);
  const { keyRing } = config;
  const backends = await openBackends(context, {
    name: 'auth',
    config,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE, ...Object.values(INBOX)],
  });
  const { database, clockMs, redisUrl, queuePrefix, wakeRelay } = backends;
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  stack.defer(() => prisma.$disconnect());
  const signingKeys = stack.use(
    await openSigningKeys({
      prisma,
      keyRing,
      accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
      maxAgeDays: config.SIGNING_KEY_MAX_AGE_DAYS,
      clockMs,
      logger,
    }),
  );
  const service = await openApi(context, backends, {
    config,
    authority: {
      keySet: signingKeys.keySet,
      readRevokedSessions: (cursor) => readRevokedSessions(database, cursor, clockMs()),
    },
  });

  const emailOutbox = createEmailOutbox({ database, prisma, keyRing });
  const templates = createEmailTemplates(config.WEB_URL);
  const transport = stack.use(openEmailTransport(config, logger));
  const emailSender = stack.use(
    startEmailSender({ outbox: emailOutbox, transport, redisUrl, queuePrefix, logger }),
  );
  const email = {
    templates,
    enqueueEmail: emailOutbox.enqueue,
    wakeEmailSender: () => emailSender.wake(),
  };
  backends.consumeMessages(
    INBOX.auth,
    createInbox({
      ...email,
      database,
      prisma,
      keyRing,
      messageKeys: config.messageKeys,
      onSent: () => wakeRelay(INBOX.auth),
      webUrl: config.WEB_URL,
      clockMs,
    }),
  );
  const jobs = stack.use(
    startAuthJobs({
      config,
      database,
      prisma,
      emailOutbox,
      erasure: {
        ...email,
        prisma,
        accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
        syncRevokedSessions: () => service.revokedSessions.sync(),
        wakeRelay,
        logger,
        clockMs,
      },
      redisUrl,
      queuePrefix,
      logger,
      clockMs,
    }),
  );

  const hasher = await createPasswordHasher(hashingLimits(config.UV_THREADPOOL_SIZE));
  await lowerHashingPriority();

  const server = await buildApp({
    ...service,
    config,
    prisma,
    signingKeys,
    hasher,
    emailOutbox,
    wakeEmailSender: () => emailSender.wake(),
    wakeErasure: jobs.eraseAccountsNow,
  });
  await serve(stack, server, { port: config.PORT, host: config.HOST });
});
