import { DEVICE_LOGIN_TTL_SECONDS } from '@atrium/contracts/auth/device-login';
import { IDENTITY_SCOPES } from '@atrium/contracts/auth/scope-names';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { type Client, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../../database.ts';
import type { SigningKey } from '../../signing-keys/signing-keys.ts';
import { createAccessTokenClaims } from './access-tokens.ts';
import { CLAIMS, createAccountFinder } from './account-claims.ts';
import { createClients, EXTRA_METADATA, ourClient } from './client-store.ts';
import { ACR, API_RESOURCE, isApiScope, PATHS, splitScope } from './constants.ts';
import { createGrants } from './grant-store.ts';
import { jwksOf } from './keys.ts';
import { createGrantLoader } from './load-grant.ts';
import { showError, showLoggedOut, showLogout } from './pages.ts';
import { parameterChecks } from './parameters.ts';
import { createPolicy } from './policy.ts';
import { originOfContext } from './request-origin.ts';
import { createRecords } from './record-store.ts';

const CODE_SECONDS = 60;
const INTERACTION_SECONDS = 1800;
const DAY_SECONDS = 86_400;
const REFRESH_SECONDS = 30 * DAY_SECONDS;
const GRANT_SECONDS = 365 * DAY_SECONDS;

export interface ProviderDeps {
  database: Database;
  keyRing: KeyRing;
  /** `AUTH_URL` and `WEB_URL`, without a slash at the end. */
  issuer: string;
  webUrl: string;
  accessTokenTtlSeconds: number;
  /** Whether the refreshes of a grant are limited. */
  isLimited: boolean;
  clockMs: () => number;
  /** Ends a grant in every service. */
  endGrant: (id: string) => Promise<void>;
  /** Tells applications of logouts. */
  fetch: typeof globalThis.fetch;
}

export function configurationOf(deps: ProviderDeps, key: SigningKey): Configuration {
  const { database, issuer, webUrl, endGrant, accessTokenTtlSeconds } = deps;
  return {
    adapter: (model) => {
      if (model === 'Client') return createClients(database);
      if (model === 'Grant') return createGrants(database, endGrant);
      return createRecords(model, deps);
    },
    jwks: jwksOf(key),
    routes: PATHS,
    scopes: [...IDENTITY_SCOPES],
    claims: CLAIMS,
    // Many read nothing else, and the scopes have allowed it.
    conformIdTokenClaims: false,
    acrValues: Object.values(ACR),
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraClientMetadata: { properties: EXTRA_METADATA },
    // For everybody, RFC 9700 section 2.1.1. The library knows no other method than S256.
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((url) => URL.parse(url)?.origin === origin),
    findAccount: createAccountFinder(database, issuer),
    loadExistingGrant: createGrantLoader(deps),
    interactions: {
      policy: createPolicy(),
      url: (_ctx, { uid }) => `${webUrl}/authorize/${uid}`,
    },
    extraParams: parameterChecks(),
    // Whoever logs in a device without its browser has no session there for which it could be.
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') &&
      (code.kind !== 'DeviceCode' || code.scopes.has('offline_access')),
    // RFC 9700 section 2.2.2: whoever uses one again has copied it, or was copied from.
    rotateRefreshToken: true,
    renderError: (ctx, out) => showError(ctx, out),
    formats: { customizers: { jwt: createAccessTokenClaims(deps) } },
    cookies: {
      // Both hold the id of the interaction. The second has the path of our routes that answer it.
      names: { session: 'oauth', interaction: 'authorization', resume: 'authorization' },
      keys: deps.keyRing.macs('auth oauth-cookies', '').map((mac) => mac.toString('base64url')),
      long: { httpOnly: true, sameSite: 'lax', path: '/auth' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: accessTokenTtlSeconds,
      ClientCredentials: accessTokenTtlSeconds,
      AuthorizationCode: CODE_SECONDS,
      DeviceCode: DEVICE_LOGIN_TTL_SECONDS,
      IdToken: accessTokenTtlSeconds,
      Interaction: INTERACTION_SECONDS,
      // That of somebody who is logged in goes with ours.
      Session: (_ctx, { accountId }) =>
        accountId === undefined ? INTERACTION_SECONDS : GRANT_SECONDS,
      Grant: GRANT_SECONDS,
      // That of a page is as old as the login, however often it is exchanged (RFC 9700 section 4.14.2).
      RefreshToken: (ctx, _token, client) =>
        (client.clientAuthMethod === 'none' && client.applicationType === 'web'
          ? ctx.oidc.entities.RotatedRefreshToken?.remainingTTL
          : undefined) ?? REFRESH_SECONDS,
    },
    fetch: deps.fetch,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: {
        enabled: true,
        deviceInfo: (ctx) => ({ ip: originOfContext(ctx)?.ipAddress ?? '' }),
      },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => showLogout(ctx, form),
        postLogoutSuccessSource: (ctx) => showLoggedOut(ctx),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx, client, oneOf) => oneOf ?? defaultResource(ctx, client),
        useGrantedResource: ({ oidc }) => {
          const scope = oidc.params?.['scope'];
          return scope === undefined || splitScope(scope).some(isApiScope);
        },
        getResourceServerInfo: (_ctx, resource, client) => {
          if (resource !== API_RESOURCE)
            throw new errors.InvalidTarget('there is no such resource');
          return {
            scope: ourClient(client).apiScopes.join(' '),
            audience: API_RESOURCE,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'EdDSA', kid: key.kid } },
          };
        },
      },
    },
  };
}

/** A client that asks for scopes of our services means these services; a machine can ask for nothing else. */
function defaultResource({ oidc }: KoaContextWithOIDC, client: Client) {
  const asked = splitScope(oidc.params?.['scope']).filter(isApiScope);
  const { apiScopes } = ourClient(client);
  const other = asked.filter((scope) => !apiScopes.includes(scope));
  if (other.length > 0) {
    throw new errors.InvalidScope('the application is not registered for it', other.join(' '));
  }
  return asked.length > 0 || client.grantTypeAllowed('client_credentials') ? API_RESOURCE : [];
}
