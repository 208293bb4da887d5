import { REFRESH_COOKIE } from '@atrium/contracts/auth/accounts';
import cookie from '@fastify/cookie';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { ExchangePersonalToken } from '@atrium/service-kit/personal-tokens';
import { createServer, type Server } from '@atrium/service-kit/server';
import type { Service } from '@atrium/service-kit/service';
import { statusRoute } from '@atrium/service-kit/status';
import { deletionRoutes } from './lifecycle/deletion/routes.ts';
import { createCurrentUserReader } from './accounts/profile/current-user.ts';
import { registrationRoutes } from './registration/routes.ts';
import { createLoginCompletion } from './login/complete-login.ts';
import type { Logins } from './login/logins.ts';
import { loginRoutes } from './login/routes.ts';
import { createAuditLog } from './audit/record.ts';
import { auditRoutes } from './audit/routes.ts';
import { auditThrottling } from './audit/throttled-routes.ts';
import type { AuthConfig } from './config.ts';
import { exportRoutes } from './lifecycle/export/routes.ts';
import { emailChangeRoutes } from './email/change/routes.ts';
import { emailVerificationRoutes } from './email/verification/routes.ts';
import type { PrismaClient } from './generated/client.ts';
import type { OauthProvider } from './oauth/provider/provider.ts';
import { allOauthRoutes } from './oauth/routes.ts';
import { personalTokenRoutes } from './personal-tokens/routes.ts';
import type { IssueAccessToken } from './signing-keys/access-token.ts';
import { signingKeyRoutes } from './signing-keys/routes.ts';
import type { SigningKeys } from './signing-keys/signing-keys.ts';
import type { Emails } from './email/outbox/store.ts';
import { loginProviderRoutes } from './login-providers/routes.ts';
import { secondStepRoutes } from './login/second-step-routes.ts';
import { createFactorChangeRecorder } from './second-factor/changes.ts';
import { createReauthentication } from './second-factor/challenges/re-authentication.ts';
import { revokeAccess } from './second-factor/challenges/revoke-access.ts';
import { allSecondFactorRoutes } from './second-factor-routes.ts';
import { requestPasswordReset } from './recovery/password-reset.ts';
import { recoveryRoutes } from './recovery/routes.ts';
import { passkeyLoginRoutes } from './login/passkey-routes.ts';
import { relyingPartyOf } from './second-factor/passkeys/relying-party.ts';
import { findByEmail } from './accounts/store.ts';
import { createPasswordConfirmation } from './passwords/confirm-password.ts';
import { loadPasswordRules } from './passwords/password-rules.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { UPLOAD_TIMEOUT_MS } from './account-import/files/upload.ts';
import { allOperatorRoutes } from './operator-routes.ts';
import { planRoutes } from './plans/routes.ts';
import { avatarRoutes } from './accounts/avatar/routes.ts';
import { publicProfileRoutes } from './accounts/public-profiles/routes.ts';
import { profileRoutes } from './accounts/profile/routes.ts';
import { settingsRoutes } from './accounts/settings/routes.ts';
import { revokedSessionsRoutes } from './sessions/revocation/revoked-sessions-routes.ts';
import { clientOf } from './sessions/client.ts';
import { createOriginCheck } from './sessions/origin.ts';
import { ownSessionRoutes } from './sessions/own-session-routes.ts';
import { createSessionResponse } from './sessions/response.ts';
import { sessionRoutes } from './sessions/routes.ts';

export interface AppDeps {
  config: AuthConfig;
  service: Service<PrismaClient>;
  signingKeys: SigningKeys;
  issueAccessToken: IssueAccessToken;
  exchange: ExchangePersonalToken;
  provider: OauthProvider;
  hasher: PasswordHasher;
  emails: Emails;
  wakeErasure: () => void;
  wakeImport: () => void;
}

export async function buildApp(deps: AppDeps): Promise<Server> {
  const { config, service, signingKeys, issueAccessToken, hasher, emails, wakeErasure } = deps;
  const { database, authenticator, rateLimiter, revokedSessions, clockMs } = service;
  const { logger, metrics, ready, corsOrigins, trustProxy } = service;
  const { keyRing, AUTH_URL: authUrl, WEB_URL: webUrl, INTERNAL_SECRET: internalSecret } = config;
  const { ACCESS_TOKEN_TTL_SECONDS: accessTokenTtlSeconds } = config;

  const server = await createServer({
    service: 'auth',
    logger,
    trustProxy,
    corsOrigins,
    secrets: {
      internalSecret: { in: 'header', name: 'X-Internal-Secret' },
      refreshToken: { in: 'cookie', name: REFRESH_COOKIE },
    },
    ready,
    metrics,
    tracing: service.tracing,
    rateLimiter,
    requestTimeoutMs: UPLOAD_TIMEOUT_MS,
  });
  await server.register(cookie);

  const audit = createAuditLog({ logger, clockMs });
  const findAccountId = async (email: string) => (await findByEmail(database, email))?.id;
  auditThrottling(server, { database, rateLimiter, audit, findAccountId });

  const passwords = { ...hasher, check: loadPasswordRules() };
  const confirmPassword = createPasswordConfirmation({ database, rateLimiter, hasher, audit });
  const relyingParty = relyingPartyOf(webUrl);
  const reauthenticate = createReauthentication({
    database,
    keyRing,
    relyingParty,
    rateLimiter,
    hasher,
    audit,
    clockMs,
  });
  const factorChanges = { reauthenticate, record: createFactorChangeRecorder({ audit, emails }) };

  signingKeyRoutes(server, { signingKeys });
  revokedSessionsRoutes(server, { database, clockMs });

  registrationRoutes(server, {
    database,
    keyRing,
    passwords,
    emails,
    audit,
    clockMs,
    defaultPlan: config.DEFAULT_PLAN,
  });
  const readCurrentUser = createCurrentUserReader(database, authUrl);
  profileRoutes(server, { database, readCurrentUser, authenticator, audit, clockMs });
  publicProfileRoutes(server, { database, authenticator, authUrl });
  avatarRoutes(server, { database, readCurrentUser, authenticator, clockMs });
  settingsRoutes(server, { database, authenticator, clockMs });

  const logins: Logins = {
    clientOf: (request) => clientOf(keyRing, request),
    complete: createLoginCompletion({ database, emails, audit, accessTokenTtlSeconds }),
    respond: createSessionResponse({ authUrl, issueAccessToken, revokedSessions }),
  };
  loginRoutes(server, { database, rateLimiter, hasher, audit, logins, clockMs });
  secondStepRoutes(server, {
    database,
    rateLimiter,
    keyRing,
    relyingParty,
    audit,
    logins,
    factorChanges,
    clockMs,
  });
  passkeyLoginRoutes(server, { database, rateLimiter, relyingParty, audit, logins, clockMs });
  const refuseForeignOrigin = createOriginCheck([...corsOrigins, webUrl, authUrl]);
  sessionRoutes(server, {
    database,
    authenticator,
    keyRing,
    issueAccessToken,
    accessTokenTtlSeconds,
    isSliding: config.REFRESH_SLIDING === 'on',
    isLimited: config.RATE_LIMITS === 'on',
    revokedSessions,
    audit,
    refuseForeignOrigin,
    clockMs,
  });
  ownSessionRoutes(server, { database, authenticator, revokedSessions, audit, clockMs });

  const owned = { database, authenticator, reauthenticate, revokedSessions, audit, clockMs };
  await loginProviderRoutes(server, {
    ...owned,
    emails,
    keyRing,
    logins,
    authUrl,
    webUrl,
    logger,
    refuseForeignOrigin,
    configured: config.loginProviders,
    defaultPlan: config.DEFAULT_PLAN,
  });
  personalTokenRoutes(server, { ...owned, exchange: deps.exchange });
  await allOauthRoutes(server, { ...owned, emails, authUrl, provider: deps.provider });

  passwordRoutes(server, {
    database,
    authenticator,
    rateLimiter,
    passwords,
    confirmPassword,
    revokeAccess,
    revokedSessions,
    emails,
    audit,
    clockMs,
  });
  recoveryRoutes(server, {
    database,
    rateLimiter,
    passwords,
    revokedSessions,
    emails,
    audit,
    clockMs,
    loginProviders: config.loginProviders,
  });

  allSecondFactorRoutes(server, {
    database,
    authenticator,
    relyingParty,
    keyRing,
    rateLimiter,
    factorChanges,
    audit,
    clockMs,
  });

  emailVerificationRoutes(server, {
    database,
    authenticator,
    rateLimiter,
    hasher,
    keyRing,
    emails,
    audit,
    requestPasswordReset: (address, origin) =>
      requestPasswordReset({ database, emails, audit, clockMs }, address, origin),
    clockMs,
  });
  emailChangeRoutes(server, { ...owned, rateLimiter, hasher, emails });

  deletionRoutes(server, {
    ...owned,
    graceDays: config.ACCOUNT_DELETION_GRACE_DAYS,
    wakeErasure,
    emails,
  });
  exportRoutes(server, { database, authenticator, keyRing, audit, clockMs });
  auditRoutes(server, { database, authenticator });
  planRoutes(server, { database, authenticator, internalSecret, audit, clockMs });
  await allOperatorRoutes(server, { ...owned, wakeImport: deps.wakeImport });
  await statusRoute(server, { service: 'auth', operationId: 'getAuthStatus' }, service);
  return server;
}
