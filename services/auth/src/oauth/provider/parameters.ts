import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isGrantedScope, splitScope } from './constants.ts';

const SCOPE_MAX_CHARACTERS = 1024;
/**
 * Characters of what else is stored for whoever asks, until a person has answered. A nonce is copied into each
 * refresh token of its login. The library compares the other parameters with what they may be.
 */
const MAX_CHARACTERS = {
  state: 1024,
  nonce: 512,
  login_hint: 512,
  ui_locales: 256,
  claims_locales: 256,
  acr_values: 256,
  display: 256,
  prompt: 256,
  max_age: 256,
};

/** Checks of the parameters of a login. The library reads most of them anyway. */
export function parameterChecks(): Configuration['extraParams'] {
  const limits = Object.entries(MAX_CHARACTERS).map(
    ([name, max]) => [name, limitLength(name, max)] as const,
  );
  return { ...Object.fromEntries(limits), scope: checkScope, device_name: checkDeviceName };
}

const limitLength = (name: string, max: number) =>
  function checkLength(_ctx: KoaContextWithOIDC, value: string | undefined) {
    if (value === undefined || value.length <= max) return;
    throw new errors.InvalidRequest(`${name} has ${max} characters at most`);
  };

const checkScopeLength = limitLength('scope', SCOPE_MAX_CHARACTERS);

/** Nothing would be left to allow, once the person has logged in (RFC 6749, section 3.3). */
function checkScope(ctx: KoaContextWithOIDC, scope: string | undefined) {
  checkScopeLength(ctx, scope);
  if (splitScope(scope).some(isGrantedScope)) return;
  throw new errors.InvalidScope('ask for a scope that exists, such as openid', scope ?? '');
}

/** What a device calls itself, for its person to recognise. */
function checkDeviceName(_ctx: KoaContextWithOIDC, name: string | undefined) {
  if (name === undefined || /^[^\p{C}]{1,60}$/u.test(name)) return;
  throw new errors.InvalidRequest('device_name has 1 to 60 printable characters');
}
