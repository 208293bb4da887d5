import { createPrivateKey } from 'node:crypto';
import type { JWK, JWKS } from 'oidc-provider';
import type { SigningKey } from '../../signing-keys/signing-keys.ts';

/** The pair of keys that signs now, as the provider takes it. */
export function jwksOf({ kid, privateKey, rsa }: SigningKey): JWKS {
  return {
    keys: [jwkOf(rsa.kid, rsa.privateKey, 'RS256'), jwkOf(kid, privateKey, 'EdDSA')],
  };
}

function jwkOf(kid: string, pem: string, alg: 'RS256' | 'EdDSA'): JWK {
  const key = createPrivateKey(pem).export({ format: 'jwk' });
  return { ...key, kid, alg, use: 'sig' } as JWK;
}
