import cookie from '@fastify/cookie';
import { createAuthenticator } from '@atrium/service-kit/authentication';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import type { RedisHandle } from '@atrium/service-kit/redis';
import { createServer, type Server } from '@atrium/service-kit/server';
import { accountRoutes } from './accounts/routes.ts';
import type { AuthConfig } from './config.ts';
import { emailVerificationRoutes } from './email-verification/routes.ts';
import type { PrismaClient } from './generated/client.ts';
import { createTokenIssuer } from './keys/access-token.ts';
import { localKeySet } from './keys/local-key-set.ts';
import { keyRoutes } from './keys/routes.ts';
import type { SigningKeys } from './keys/signing-keys.ts';
import type { MailOutbox } from './mail/outbox.ts';
import { createTemplates } from './mail/templates.ts';
import type { PasswordHasher } from './passwords/hasher.ts';
import { loadPasswordRules } from './passwords/password-rules.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { planRoutes } from './plans/routes.ts';
import { createOriginCheck } from './sessions/origin.ts';
import { sessionRoutes } from './sessions/routes.ts';

export interface AppDeps {
  config: AuthConfig;
  database: Database;
  prisma: PrismaClient;
  redis: RedisHandle;
  signingKeys: SigningKeys;
  hasher: PasswordHasher;
  mailOutbox: MailOutbox;
  /** Called after a commit that posted mails. */
  wakeMail: () => void;
  /** Called after a commit that wrote events. */
  wakeRelay: () => void;
  logger: Logger;
  metrics?: Metrics;
  clockMs?: () => number;
}

export async function buildApp(deps: AppDeps): Promise<Server> {
  const { config, database, prisma, redis, hasher, wakeMail, wakeRelay } = deps;
  const { keyRing } = config;
  const { current, keySet } = deps.signingKeys;
  const clockMs = deps.clockMs ?? Date.now;

  const server = await createServer({
    service: 'auth',
    logger: deps.logger,
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    ready: { postgres: () => database.check(), redis: () => redis.check() },
    ...(deps.metrics === undefined ? {} : { metrics: deps.metrics }),
    clockMs,
  });
  await server.register(cookie);

  const authenticator = createAuthenticator({ keySet: localKeySet(keySet), clockMs });
  const rateLimiter = createRateLimiter({
    redis: redis.client,
    prefix: `${config.QUEUE_PREFIX}:auth`,
    enabled: config.RATE_LIMITS === 'on',
    clockMs,
  });
  const issueAccessToken = createTokenIssuer({
    key: current,
    ttlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
  });
  const checkNewPassword = loadPasswordRules();
  const refuseForeignOrigin = createOriginCheck([
    ...config.CORS_ORIGINS,
    config.WEB_URL,
    config.AUTH_URL,
  ]);
  const mail = {
    templates: createTemplates(config.WEB_URL),
    postMail: deps.mailOutbox.post,
    wakeMail,
  };

  keyRoutes(server, { keySet });
  accountRoutes(server, {
    ...mail,
    database,
    prisma,
    authenticator,
    rateLimiter,
    hasher,
    checkNewPassword,
    clockMs,
  });
  sessionRoutes(server, {
    ...mail,
    database,
    keyRing,
    rateLimiter,
    hasher,
    issueAccessToken,
    refuseForeignOrigin,
    wakeRelay,
    clockMs,
  });
  passwordRoutes(server, {
    ...mail,
    postDecoy: deps.mailOutbox.postDecoy,
    database,
    authenticator,
    rateLimiter,
    hasher,
    checkNewPassword,
    clockMs,
  });
  emailVerificationRoutes(server, { ...mail, database, authenticator, rateLimiter, clockMs });
  planRoutes(server, { prisma, internalSecret: config.INTERNAL_SECRET, clockMs });
  return server;
}
