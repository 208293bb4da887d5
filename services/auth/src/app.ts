import { REFRESH_COOKIE } from '@atrium/contracts/auth';
import cookie from '@fastify/cookie';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { OutboxQueue } from '@atrium/contracts/queues';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { createServer, type Server } from '@atrium/service-kit/server';
import { statusRoute } from '@atrium/service-kit/status';
import { deviceLoginRoutes } from './device-login/routes.ts';
import { deletionRoutes } from './lifecycle/deletion/routes.ts';
import { createCurrentUserReader } from './accounts/profile/current-user.ts';
import { registrationRoutes } from './registration/routes.ts';
import { loginRoutes } from './login/routes.ts';
import { createAuditLog, createAuditRecorder } from './audit/record.ts';
import { auditRoutes } from './audit/routes.ts';
import { auditThrottling } from './audit/throttled-routes.ts';
import type { AuthConfig } from './config.ts';
import { exportRoutes } from './lifecycle/export/routes.ts';
import { emailChangeRoutes } from './email/change/routes.ts';
import { emailVerificationRoutes } from './email/verification/routes.ts';
import type { PrismaClient } from './generated/client.ts';
import { createTokenIssuer } from './signing-keys/access-token.ts';
import { signingKeyRoutes } from './signing-keys/routes.ts';
import type { SigningKeys } from './signing-keys/signing-keys.ts';
import type { EmailOutbox } from './email/outbox/store.ts';
import { createEmailTemplates } from './email/templates/templates.ts';
import { secondStepRoutes } from './login/second-step-routes.ts';
import { createFactorChangeRecorder } from './second-factor/changes.ts';
import { createReauthentication } from './second-factor/challenges/re-authentication.ts';
import { revokeAccess } from './second-factor/challenges/revoke-access.ts';
import { reauthenticationRoutes } from './second-factor/challenges/routes.ts';
import { recoveryCodeRoutes } from './second-factor/recovery-codes/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { requestPasswordReset } from './recovery/password-reset.ts';
import { recoveryRoutes } from './recovery/routes.ts';
import { passkeyLoginRoutes } from './login/passkey-routes.ts';
import { relyingPartyOf } from './second-factor/passkeys/relying-party.ts';
import { passkeyRoutes } from './second-factor/passkeys/routes.ts';
import { findByEmail } from './accounts/store.ts';
import { createPasswordConfirmation } from './passwords/confirm-password.ts';
import { loadPasswordRules } from './passwords/password-rules.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { planRoutes } from './plans/routes.ts';
import { avatarRoutes } from './accounts/avatar/routes.ts';
import { publicProfileRoutes } from './accounts/public-profiles/routes.ts';
import { profileRoutes } from './accounts/profile/routes.ts';
import { settingsRoutes } from './accounts/settings/routes.ts';
import { revokedSessionsRoutes } from './sessions/revocation/revoked-sessions-routes.ts';
import { createOperatorRole } from './sessions/operator-role.ts';
import { createOriginCheck } from './sessions/origin.ts';
import { ownSessionRoutes } from './sessions/own-session-routes.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { sessionRoutes } from './sessions/routes.ts';
import { totpRoutes } from './second-factor/totp/routes.ts';

export interface AppDeps {
  config: AuthConfig;
  database: Database;
  prisma: PrismaClient;
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  ready: Record<string, () => Promise<void>>;
  version: string;
  signingKeys: SigningKeys;
  revokedSessions: RevokedSessions;
  hasher: PasswordHasher;
  emailOutbox: EmailOutbox;
  /** Called after a commit that wrote email messages. */
  wakeEmailSender: () => void;
  /** Called after a commit that wrote events, or messages to this queue. */
  wakeRelay: (queue?: OutboxQueue) => void;
  /** Called after a commit that may have made an account due to be erased. */
  wakeErasure: () => void;
  logger: Logger;
  metrics?: Metrics;
  clockMs?: () => number;
}

export async function buildApp(deps: AppDeps): Promise<Server> {
  const { config, database, prisma, authenticator, rateLimiter, hasher } = deps;
  const { signingKeys, revokedSessions, wakeEmailSender, wakeRelay } = deps;
  const { keyRing, ACCESS_TOKEN_TTL_SECONDS: accessTokenTtlSeconds } = config;
  const clockMs = deps.clockMs ?? Date.now;

  const server = await createServer({
    service: 'auth',
    logger: deps.logger,
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    secrets: {
      internalSecret: { in: 'header', name: 'X-Internal-Secret' },
      refreshToken: { in: 'cookie', name: REFRESH_COOKIE },
    },
    ready: deps.ready,
    metrics: deps.metrics,
    rateLimiter,
  });
  await server.register(cookie);

  const issueAccessToken = createTokenIssuer({
    signingKeys,
    ttlSeconds: accessTokenTtlSeconds,
  });
  const hasOperatorRole = createOperatorRole(prisma, config.OPERATOR_EMAILS);
  const checkNewPassword = loadPasswordRules();
  const refuseForeignOrigin = createOriginCheck([
    ...config.CORS_ORIGINS,
    config.WEB_URL,
    config.AUTH_URL,
  ]);
  const logAudit = createAuditLog(deps.logger);
  const recordAudit = createAuditRecorder(logAudit);
  auditThrottling(server, {
    database,
    rateLimiter,
    recordAudit,
    findAccountId: async (email) => (await findByEmail(database, email))?.id,
    clockMs,
  });
  const email = {
    templates: createEmailTemplates(config.WEB_URL),
    enqueueEmail: deps.emailOutbox.enqueue,
    wakeEmailSender,
  };
  const audit = { recordAudit, clockMs };
  const relyingParty = relyingPartyOf(config.WEB_URL);
  const confirmPassword = createPasswordConfirmation({ database, rateLimiter, hasher, ...audit });
  const reauthenticate = createReauthentication({
    database,
    prisma,
    keyRing,
    relyingParty,
    rateLimiter,
    hasher,
    ...audit,
  });
  const recordFactorChange = createFactorChangeRecorder({ ...email, recordAudit });

  signingKeyRoutes(server, { signingKeys });
  revokedSessionsRoutes(server, { database, clockMs });

  registrationRoutes(server, {
    ...email,
    database,
    rateLimiter,
    hasher,
    keyRing,
    checkNewPassword,
    ...audit,
  });
  const readCurrentUser = createCurrentUserReader(database, config.AUTH_URL);
  profileRoutes(server, { prisma, readCurrentUser, authenticator, ...audit });

  publicProfileRoutes(server, { prisma, authenticator, authUrl: config.AUTH_URL });
  avatarRoutes(server, { prisma, readCurrentUser, authenticator, clockMs });
  settingsRoutes(server, { prisma, authenticator, clockMs });

  const login = {
    ...email,
    database,
    prisma,
    keyRing,
    rateLimiter,
    issueAccessToken,
    hasOperatorRole,
    accessTokenTtlSeconds,
    revokedSessions,
    ...audit,
    authUrl: config.AUTH_URL,
    wakeRelay,
  };
  loginRoutes(server, { ...login, hasher, logAudit });
  secondStepRoutes(server, { ...login, relyingParty, recordFactorChange });
  passkeyLoginRoutes(server, { ...login, relyingParty });
  deviceLoginRoutes(server, {
    ...login,
    authenticator,
    reauthenticate,
    webUrl: config.WEB_URL,
  });
  sessionRoutes(server, {
    database,
    authenticator,
    keyRing,
    issueAccessToken,
    hasOperatorRole,
    accessTokenTtlSeconds,
    isSliding: config.REFRESH_SLIDING === 'on',
    isLimited: config.RATE_LIMITS === 'on',
    revokedSessions,
    ...audit,
    refuseForeignOrigin,
  });
  const sessions = { database, prisma, authenticator, revokedSessions, ...audit };
  ownSessionRoutes(server, sessions);

  const passwords = {
    ...email,
    database,
    prisma,
    rateLimiter,
    hasher,
    checkNewPassword,
    revokedSessions,
    ...audit,
  };
  passwordRoutes(server, { ...passwords, authenticator, confirmPassword, revokeAccess });
  const recovery = { ...passwords, enqueueDecoyEmail: deps.emailOutbox.enqueueDecoy };
  recoveryRoutes(server, recovery);

  secondFactorRoutes(server, { prisma, authenticator });
  reauthenticationRoutes(server, { prisma, relyingParty, authenticator, clockMs });
  const factor = { authenticator, reauthenticate, recordFactorChange, wakeEmailSender };
  recoveryCodeRoutes(server, factor);
  totpRoutes(server, { ...factor, database, prisma, keyRing, rateLimiter, ...audit });
  passkeyRoutes(server, { ...factor, prisma, relyingParty, clockMs });

  const links = { ...email, database, authenticator, rateLimiter, hasher, ...audit };
  emailVerificationRoutes(server, {
    ...links,
    keyRing,
    requestPasswordReset: (address, origin) => requestPasswordReset(recovery, address, origin),
  });
  emailChangeRoutes(server, { ...links, confirmPassword });

  deletionRoutes(server, {
    ...email,
    prisma,
    authenticator,
    reauthenticate,
    graceDays: config.ACCOUNT_DELETION_GRACE_DAYS,
    revokedSessions,
    ...audit,
    wakeErasure: deps.wakeErasure,
  });
  exportRoutes(server, { prisma, keyRing, authenticator, ...audit, wakeRelay });
  auditRoutes(server, { prisma, authenticator });
  const { INTERNAL_SECRET: internalSecret } = config;
  planRoutes(server, { prisma, authenticator, ...audit, internalSecret, wakeRelay });
  await server.register(operatorRoutes, { ...sessions, wakeRelay });
  await statusRoute(server, { service: 'auth', operationId: 'getAuthStatus' }, deps);
  return server;
}
