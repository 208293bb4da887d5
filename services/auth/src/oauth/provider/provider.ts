import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { REFRESH_COOKIE } from '@atrium/contracts/auth/accounts';
import { DEVICE_POLL_SECONDS } from '@atrium/contracts/auth/device-login';
import { IDENTITY_SCOPES, SCOPES } from '@atrium/contracts/auth/scope-names';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Logger } from '@atrium/service-kit/logger';
import { isDatabaseUnavailable } from '@atrium/service-kit/outage';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import type { SigningKeys } from '../../signing-keys/signing-keys.ts';
import { findPublicJwk } from '../../signing-keys/store.ts';
import { THROTTLED_SECONDS } from '../../sessions/refresh.ts';
import { isOneOf } from '../applications/secrets.ts';
import { secretHashes } from './client-store.ts';
import { configurationOf, type ProviderDeps } from './configuration.ts';
import { undoFailedExchange } from './failed-exchange.ts';
import { describeGrantFaults } from './grant-faults.ts';
import { acceptOldHints } from './id-token-hints.ts';
import { findPerson, followOurSessions } from './person.ts';
import { acceptServiceTokens } from './userinfo-tokens.ts';

export interface OauthProvider {
  /** The provider with the keys that sign now. */
  current(): Provider;
  /** Answers a request with it. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Tells an application that somebody has logged out. @throws Error when it does not answer as it should */
  tellLogout(logout: { applicationId: string; accountId: string; sid: string }): Promise<void>;
}

interface OauthProviderDeps extends ProviderDeps {
  signingKeys: Pick<SigningKeys, 'current' | 'keySet'>;
  logger: Logger;
  /** Ends the session of somebody whom an application has logged out. */
  logOut: (ctx: KoaContextWithOIDC, sessionId: string) => Promise<void>;
}

/**
 * The OpenID Connect provider. The library takes keys only when an instance is made, so a new one takes its place
 * when the keys change; what it knows of logins is in the database.
 */
export function createOauthProvider(deps: OauthProviderDeps): OauthProvider {
  let made: ({ kid: string } & ReturnType<typeof createProvider>) | undefined;

  function current() {
    const key = deps.signingKeys.current();
    if (made?.kid !== key.kid) {
      const provider = new Provider(deps.issuer, configurationOf(deps, key));
      made = { kid: key.kid, ...createProvider(deps, provider) };
    }
    return made;
  }

  return {
    current: () => current().provider,
    handle: (request, response) => current().handle(request, response),
    async tellLogout({ applicationId, accountId, sid }) {
      const { provider, backchannelLogout } = current();
      const client = await provider.Client.find(applicationId);
      if (client?.backchannelLogoutUri !== undefined) {
        await Reflect.apply(backchannelLogout, client, [accountId, sid]);
      }
    },
  };
}

const scopes_supported = [...IDENTITY_SCOPES, ...SCOPES];

/** Devices are confirmed on the page of Atrium, not on one of the library. */
function nameOurPage({ body }: { body: unknown }, webUrl: string): void {
  if (typeof body !== 'object' || body === null || !('user_code' in body)) return;
  const page = `${webUrl}/device`;
  Object.assign(body, {
    verification_uri: page,
    verification_uri_complete: `${page}?code=${String(body.user_code)}`,
    interval: DEVICE_POLL_SECONDS,
  });
}

/** Every error has one; RFC 6749 section 5.2 allows more than it names. */
function addMessage({ body }: { body: unknown }): void {
  if (typeof body !== 'object' || body === null || !('error' in body)) return;
  const description = 'error_description' in body && body.error_description;
  Object.assign(body, { message: description || body.error });
}

function createProvider(deps: OauthProviderDeps, provider: Provider) {
  const { database, clockMs, logger } = deps;
  const { protocol, host } = new URL(deps.issuer);
  // Addresses that the provider names must not depend on what a request says of its own.
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    // As our other cookies: browsers treat localhost as secure.
    secure: { get: () => true },
  });
  const { backchannelLogout } = provider.Client.prototype;
  if (typeof backchannelLogout !== 'function') throw new TypeError('The library has changed');
  Object.assign(provider.Client.prototype, {
    // Whatever ends a session tells its applications, later and more than once if need be: see logouts.
    backchannelLogout: async () => undefined,
    compareClientSecret(this: Record<string, unknown>, given: string) {
      return isOneOf(given, secretHashes(this));
    },
  });
  followOurSessions(provider, (token) => findPerson(database, token, clockMs()));
  describeGrantFaults(provider);
  acceptOldHints(provider, (kid) => findPublicJwk(database, kid));
  acceptServiceTokens(provider, { keySet: deps.signingKeys.keySet, clockMs });
  provider.use(async (ctx, next) => {
    // The library adds the hash of the script that submits a form, where it needs one.
    ctx.set(
      'content-security-policy',
      "default-src 'none'; script-src 'none'; frame-ancestors 'none'",
    );
    await next();
    if (ctx.status >= 400) addMessage(ctx);
    if (ctx.status === 429) ctx.set('retry-after', String(THROTTLED_SECONDS));
    const { oidc } = ctx as KoaContextWithOIDC;
    // The library knows only the scopes that belong to no resource.
    if (oidc?.route === 'discovery') Object.assign(Object(ctx.body), { scopes_supported });
    if (oidc?.route === 'token') await undoFailedExchange(ctx, deps);
    if (oidc?.route === 'device_authorization') nameOurPage(ctx, deps.webUrl);
    if (
      oidc?.route === 'end_session_confirm' &&
      oidc.session !== undefined &&
      'destroyed' in oidc.session
    ) {
      await deps.logOut(ctx as KoaContextWithOIDC, oidc.session.uid);
      ctx.cookies.set(REFRESH_COOKIE, null, { path: '/auth', signed: false });
    }
  });
  const report = (error: unknown, ctx?: KoaContextWithOIDC) => {
    const line = { err: error, requestId: ctx?.response.get('x-request-id') };
    // After `outcome-unknown`, an HttpError, 503 would invite the application to repeat the request.
    const isRepeatable = !(error instanceof HttpError) && isDatabaseUnavailable(error);
    if (ctx !== undefined && isRepeatable) {
      ctx.status = 503;
      ctx.set('error-code', 'unavailable');
      ctx.set('retry-after', '5');
      logger.warn(line, 'request refused');
    } else {
      logger.error(line, 'request failed');
    }
  };
  provider.on('server_error', (ctx, error) => report(error, ctx));
  const app: EventEmitter = provider;
  app.on('error', report);
  return { provider, handle: provider.callback(), backchannelLogout };
}
