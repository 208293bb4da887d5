import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { importSigningKeys, SECRET_PREFIX, type SigningKeys } from '../deliveries/signature.ts';

const SECRET_BYTES = 32;
const CACHED_KEYS_MAX = 50_000;

/** A new secret: the prefix and 256 random bits in base64, as Standard Webhooks has it. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Opens each secret once and keeps it as imported keys. A changed secret has another sealed form. */
export function createSigningKeyCache(
  keyRing: KeyRing,
): (subscriptionId: string, sealed: string) => SigningKeys {
  const cache = new Map<string, SigningKeys>();
  return (subscriptionId, sealed) => {
    const known = cache.get(sealed);
    if (known !== undefined) return known;
    const keys = importSigningKeys(keyRing.decrypt(sealed, subscriptionId));
    // Full is rare and opening again is cheap: starting over is simpler than an order of use.
    if (cache.size >= CACHED_KEYS_MAX) cache.clear();
    cache.set(sealed, keys);
    return keys;
  };
}
