import { createPublicKey } from 'node:crypto';
import type { PublicJwk, RsaPublicJwk } from '@atrium/contracts/auth/tokens';
import { createDecoder, createVerifier } from 'fast-jwt';
import { errors, type Client, type default as Provider } from 'oidc-provider';

const decode = createDecoder({ complete: true });

/**
 * From now on ID tokens are valid hints as long as their public keys are kept, since people log out long after they
 * have logged in. The library knows only the keys that sign now.
 */
export function acceptOldHints(
  { IdToken, issuer }: Provider,
  findPublicJwk: (kid: string) => Promise<PublicJwk | RsaPublicJwk | undefined>,
): void {
  IdToken.validate = async (token: string, { clientId }: Client) => {
    const { kid } = decode(token).header;
    const jwk = await findPublicJwk(String(kid)).catch((cause: unknown) => {
      // The library takes any other error for an invalid hint.
      throw new errors.OIDCProviderError(500, 'server_error', { cause });
    });
    if (jwk === undefined) throw new Error('There is no such signing key');
    const key = createPublicKey({ format: 'jwk', key: jwk });
    const verify = createVerifier({
      key: key.export({ type: 'spki', format: 'pem' }).toString(),
      algorithms: [jwk.alg],
      allowedIss: issuer,
      allowedAud: clientId,
      // OpenID Connect RP-Initiated Logout 1.0, section 4.
      ignoreExpiration: true,
      requiredClaims: ['sub'],
      complete: true,
    });
    return verify(token);
  };
}
