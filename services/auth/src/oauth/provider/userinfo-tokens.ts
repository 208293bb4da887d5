import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from '@atrium/contracts/auth/tokens';
import type { KeySet } from '@atrium/service-kit/authentication';
import { createDecoder, createVerifier } from 'fast-jwt';
import Provider from 'oidc-provider';

const decode = createDecoder({ complete: true });

/**
 * From now on userinfo takes the access tokens for our services too (OpenID Connect Core 1.0, section 5.3). The library
 * takes only tokens that it has stored. These are not, but name their grant and the identity scopes of their login.
 */
export function acceptServiceTokens(
  { AccessToken, Client, Grant }: Provider,
  { keySet, clockMs }: { keySet: Pick<KeySet, 'load'>; clockMs: () => number },
): void {
  const findStored: typeof find = AccessToken.find.bind(AccessToken);
  Object.assign(AccessToken, { find });

  async function find(token: string, options?: { ignoreExpiration?: boolean }): Promise<unknown> {
    const stored = await findStored(token, options);
    return stored ?? (Provider.ctx?.oidc.route === 'userinfo' ? findGranted(token) : undefined);
  }

  async function findGranted(token: string) {
    const kid = attempt(() => String(decode(token).header.kid));
    const key = kid === undefined ? undefined : await keySet.load(kid);
    if (key === undefined) return undefined;
    const claims = attempt(() => verify(token, key));
    const grant = claims === undefined ? undefined : await Grant.find(claims.sid);
    const client = grant?.clientId === undefined ? undefined : await Client.find(grant.clientId);
    if (claims === undefined || grant === undefined || client === undefined) return undefined;
    const { sub: accountId, sid: grantId, identity_scope: scope } = claims;
    return new AccessToken({ client, accountId, grantId, scope, gty: 'authorization_code' });
  }

  const verify = (
    token: string,
    key: string,
  ): { sub: string; sid: string; identity_scope: string } =>
    createVerifier({
      key,
      algorithms: ['EdDSA'],
      allowedIss: TOKEN_ISSUER,
      allowedAud: TOKEN_AUDIENCE,
      checkTyp: TOKEN_TYPE,
      requiredClaims: ['sub', 'sid', 'exp', 'identity_scope'],
      clockTimestamp: clockMs(),
    })(token);
}

/** @returns undefined for a token that is malformed, forged or expired */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
