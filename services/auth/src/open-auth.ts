import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import type { ProcessContext } from '@atrium/service-kit/lifecycle';
import { createPasswordHasher, hashingLimits } from '@atrium/service-kit/password-hasher';
import type { Server } from '@atrium/service-kit/server';
import { type Backends, openApi, openBackends } from '@atrium/service-kit/service';
import { buildApp } from './app.ts';
import type { AuthConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { verifyImportedHash } from './passwords/imported-hashes/verify.ts';
import { createEmailOwnerLimit } from './email/outbox/email-owner.ts';
import { type EmailSender, startEmailSender } from './email/outbox/sender.ts';
import { createEmailOutbox } from './email/outbox/store.ts';
import { createEmailTemplates } from './email/templates/templates.ts';
import { openEmailTransport } from './email/transport/transport.ts';
import { createInbox } from './lifecycle/account-messages/inbox.ts';
import { type StartJobs, startAuthJobs } from './scheduled-jobs.ts';
import { readRevokedSessions } from './sessions/revocation/revoked-session-store.ts';
import { openOauth } from './oauth/open-oauth.ts';
import { usePersonalToken } from './personal-tokens/store.ts';
import { createOperatorRole } from './sessions/operator-role.ts';
import { createTokenIssuer } from './signing-keys/access-token.ts';
import { openSigningKeys } from './signing-keys/signing-keys.ts';

/** What tests replace. The rest they set in the configuration. */
export interface AuthOverrides {
  /** The clock, Postgres, Redis and the inbox. */
  backends?: Backends<ReturnType<typeof createPrisma>>;
  startJobs?: StartJobs;
}

/** Opens the service on the stack of its process: all but listening. */
export async function openAuth(
  context: ProcessContext,
  config: AuthConfig,
  overrides: AuthOverrides = {},
): Promise<Server> {
  const { stack, logger } = context;
  const { keyRing, ACCESS_TOKEN_TTL_SECONDS: accessTokenTtlSeconds, WEB_URL: webUrl } = config;
  const backends =
    overrides.backends ??
    (await openBackends(context, {
      name: 'auth',
      config,
      createPrisma,
      migrations: new URL('../prisma/migrations', import.meta.url),
      queues: [EVENTS_QUEUE, ...Object.values(INBOX)],
    }));
  const { database, clockMs, redisUrl, queuePrefix, metrics } = backends;
  const signingKeys = stack.use(
    await openSigningKeys({
      database,
      keyRing,
      accessTokenTtlSeconds,
      maxAgeDays: config.SIGNING_KEY_MAX_AGE_DAYS,
      clockMs,
      logger,
    }),
  );
  const issueAccessToken = createTokenIssuer({
    signingKeys,
    ttlSeconds: accessTokenTtlSeconds,
    hasOperatorRole: createOperatorRole(database, config.OPERATOR_EMAILS),
  });
  const exchange = async (token: string) => {
    const nowMs = clockMs();
    const subject = await usePersonalToken(database, { token, nowMs, accessTokenTtlSeconds });
    return subject && issueAccessToken(subject, nowMs);
  };
  const service = await openApi(context, backends, {
    config,
    authority: {
      exchange,
      keySet: signingKeys.keySet,
      readRevokedSessions: (cursor) => readRevokedSessions(database, cursor, clockMs()),
    },
  });

  const provider = openOauth({
    database,
    keyRing,
    signingKeys,
    revokedSessions: service.revokedSessions,
    authUrl: config.AUTH_URL,
    webUrl,
    accessTokenTtlSeconds,
    isLimited: config.RATE_LIMITS === 'on',
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
    logger,
    clockMs,
  });

  const emails = createEmailOutbox({
    database,
    keyRing,
    templates: createEmailTemplates(webUrl),
    wakeSender: () => emailSender.wake(),
  });
  const transport = stack.use(openEmailTransport(config, logger));
  const emailSender: EmailSender = stack.use(
    startEmailSender({
      outbox: emails,
      transport,
      mayWrite: createEmailOwnerLimit({ database, rateLimiter: service.rateLimiter }),
      redisUrl,
      queuePrefix,
      metrics,
      logger,
    }),
  );
  const { messageKeys } = config;
  backends.consumeMessages(
    INBOX.auth,
    createInbox({ database, emails, keyRing, messageKeys, webUrl, clockMs }),
  );
  const jobs = stack.use(
    startAuthJobs({
      config,
      database,
      emailOutbox: emails,
      provider,
      erasure: {
        database,
        emails,
        accessTokenTtlSeconds,
        syncRevokedSessions: () => service.revokedSessions.sync(),
        logger,
        clockMs,
      },
      redisUrl,
      queuePrefix,
      logger,
      clockMs,
      startJobs: overrides.startJobs,
    }),
  );
  const hasher = await createPasswordHasher(
    hashingLimits(config.UV_THREADPOOL_SIZE),
    verifyImportedHash,
  );
  const { eraseAccountsNow: wakeErasure, importAccountsNow: wakeImport } = jobs;
  return buildApp({
    config,
    service,
    signingKeys,
    issueAccessToken,
    exchange,
    provider,
    hasher,
    emails,
    wakeErasure,
    wakeImport,
  });
}
