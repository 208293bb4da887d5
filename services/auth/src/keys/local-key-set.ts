import { createPublicKey } from 'node:crypto';
import type { JsonWebKeySet } from '@atrium/contracts/tokens';
import type { KeySet } from '@atrium/service-kit/authentication';

/** The service's own keys, for checking its own tokens without asking itself over HTTP. */
export function localKeySet({ keys }: JsonWebKeySet): KeySet {
  const byId = new Map(
    keys.map(({ kid, kty, crv, x }) => [
      kid,
      createPublicKey({ format: 'jwk', key: { kty, crv, x } }),
    ]),
  );
  return {
    version: 0,
    find: (keyId) => byId.get(keyId),
    load: async (keyId) => byId.get(keyId),
  };
}
