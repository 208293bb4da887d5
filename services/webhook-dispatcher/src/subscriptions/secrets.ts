import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { importSigningKeys, SECRET_PREFIX, type SigningKeys } from '../deliveries/signature.ts';

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D section 8.2.2: a random 96-bit IV. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;
const CACHED_KEYS_MAX = 50_000;

/** Form of SECRETS_KEYS: `id:base64 of 32 bytes`, the current key first, older ones after it. */
export const KEY_RING_PATTERN = '^[\\w-]+:[A-Za-z0-9+/]{43}=(,[\\w-]+:[A-Za-z0-9+/]{43}=)*$';

/** Encrypts subscription secrets for storage, each bound to the subscription it belongs to. */
export interface SecretBox {
  seal(subscriptionId: string, secret: string): string;
  /** Throws when the key is not in the ring or the text was not sealed for this subscription. */
  open(subscriptionId: string, sealed: string): string;
}

/** A new secret: the prefix and 256 random bits in base64, as Standard Webhooks has it. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** @param keyRing text that matches `KEY_RING_PATTERN` */
export function createSecretBox(keyRing: string): SecretBox {
  const keys = parseKeyRing(keyRing);
  const [current] = keys.entries();
  if (current === undefined) throw new Error('The key ring is empty');
  const [currentId, currentKey] = current;
  return {
    seal(subscriptionId, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, currentKey, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(subscriptionId));
      const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final()]);
      return `${currentId}:${Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64')}`;
    },
    open(subscriptionId, sealed) {
      const [keyId = '', payload = ''] = sealed.split(':');
      const key = keys.get(keyId);
      if (key === undefined) throw new Error(`Key ${keyId} is not in the key ring`);
      const bytes = Buffer.from(payload, 'base64');
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(subscriptionId));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

function parseKeyRing(keyRing: string): Map<string, KeyObject> {
  return new Map(
    keyRing.split(',').map((entry) => {
      const [id = '', base64 = ''] = entry.split(':');
      return [id, createSecretKey(Buffer.from(base64, 'base64'))];
    }),
  );
}

/** Opens each secret once and keeps it as imported keys. A changed secret has another sealed form. */
export function createSigningKeyCache(
  box: SecretBox,
): (subscriptionId: string, sealed: string) => SigningKeys {
  const cache = new Map<string, SigningKeys>();
  return (subscriptionId, sealed) => {
    const known = cache.get(sealed);
    if (known !== undefined) return known;
    const keys = importSigningKeys(box.open(subscriptionId, sealed));
    // Full is rare and opening again is cheap: starting over is simpler than an order of use.
    if (cache.size >= CACHED_KEYS_MAX) cache.clear();
    cache.set(sealed, keys);
    return keys;
  };
}
