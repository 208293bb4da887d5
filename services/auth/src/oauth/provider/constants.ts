import type { GrantedScope } from '@atrium/contracts/auth/authorization';
import { IDENTITY_SCOPES, SCOPES, type Scope } from '@atrium/contracts/auth/scope-names';

/** What an access token for all services of Atrium is asked for with (RFC 8707). */
export const API_RESOURCE = 'urn:atrium:services';

/** How strong a login was: `acr` of ID tokens, and what `acr_values` asks for. */
export const ACR = {
  oneFactor: 'urn:atrium:acr:one-factor',
  twoFactors: 'urn:atrium:acr:two-factors',
} as const;

export const acrOf = (passedSecondFactor: boolean) =>
  passedSecondFactor ? ACR.twoFactors : ACR.oneFactor;

/**
 * The endpoints that browsers visit are below /auth: only there they send the refresh cookie, which says who is
 * logged in.
 */
export const PATHS = {
  authorization: '/auth/authorize',
  end_session: '/auth/end-session',
  jwks: '/.well-known/jwks.json',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
  pushed_authorization_request: '/oauth/par',
  device_authorization: '/oauth/device',
} as const;

/** RFC 8628 section 3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const API_SCOPES: ReadonlySet<string> = new Set(SCOPES);

export const isApiScope = (scope: string): scope is Scope => API_SCOPES.has(scope);

const GRANTED_SCOPES: ReadonlySet<string> = new Set([...IDENTITY_SCOPES, ...SCOPES]);

export const isGrantedScope = (scope: string): scope is GrantedScope => GRANTED_SCOPES.has(scope);

export const splitScope = (scope: unknown): string[] =>
  typeof scope === 'string' ? scope.split(' ').filter((each) => each !== '') : [];
