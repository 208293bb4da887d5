import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SignatureKind } from '@atrium/contracts/webhooks/webhooks';
import { atMost } from '@atrium/service-kit/at-most';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { LRUCache } from 'lru-cache';
import type { CustomHeaders } from './custom-headers.ts';
import { importPrivateKey, newKeyPair } from './key-pairs.ts';

export const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const CACHED_KEYS_MAX = 50_000;
const CACHED_HEADERS_MAX = 10_000;

/** A subscription's secret, imported once: an HMAC with a KeyObject costs a fifth of one with text. */
export interface SigningKeys {
  /** Service-Signature: the secret exactly as its owner got it, prefix and all. */
  service: KeyObject;
  /**
   * Standard Webhooks: the bytes that the part after the prefix encodes in base64 or, for ed25519, the
   * private key.
   */
  standard: KeyObject;
}

/** Imports a secret of the form `whsec_<base64>`, after which a space and a private key may stand. */
export function importSigningKeys(text: string): SigningKeys {
  const [secret = '', privateKey] = text.split(' ');
  return {
    service: createSecretKey(Buffer.from(secret, 'utf8')),
    standard:
      privateKey === undefined
        ? createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
        : importPrivateKey(privateKey),
  };
}

/** A new secret: the prefix and 256 random bits in base64, as Standard Webhooks has it. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The associated data of encrypted texts: each decrypts for one subscription and one use only. */
export const sealingContexts = {
  secret: (subscriptionId: string) => subscriptionId,
  headers: (subscriptionId: string) => `${subscriptionId}/headers`,
  destination: (subscriptionId: string) => `${subscriptionId}/destination`,
};

/**
 * Encrypts a secret and, for ed25519, a new private key in the same text, so that whatever rotates,
 * erases or re-encrypts the one does so with the other.
 */
export function sealSecret(
  keyRing: KeyRing,
  subscriptionId: string,
  { secret, signature }: { secret: string; signature: SignatureKind },
): { sealedSecret: string; publicKey: string | null } {
  const pair = signature === 'ed25519' ? newKeyPair() : null;
  const text = pair === null ? secret : `${secret} ${pair.privateKey}`;
  const sealedSecret = keyRing.encrypt(text, sealingContexts.secret(subscriptionId));
  return { sealedSecret, publicKey: pair?.publicKey ?? null };
}

/** Encrypts custom headers for the column `sealed_headers`, which is null without any. */
export function sealHeaders(
  keyRing: KeyRing,
  subscriptionId: string,
  headers: CustomHeaders,
): string | null {
  if (Object.keys(headers).length === 0) return null;
  return keyRing.encrypt(JSON.stringify(headers), sealingContexts.headers(subscriptionId));
}

/** The headers that `sealHeaders` encrypted. */
export function openHeaders(
  keyRing: KeyRing,
  subscriptionId: string,
  sealed: string | null,
): CustomHeaders {
  if (sealed === null) return {};
  return JSON.parse(keyRing.decrypt(sealed, sealingContexts.headers(subscriptionId)));
}

/** The decrypted texts of subscriptions. Throws when the key ring lacks the key. */
export interface SubscriptionSecrets {
  keysOf(subscriptionId: string, sealedSecret: string): SigningKeys;
  /** Names and values in turn, as they go on the wire. */
  headersOf(subscriptionId: string, sealedHeaders: string): readonly string[];
}

/** Opens each sealed text once: what has been changed has another sealed form. */
export function createSubscriptionSecrets(keyRing: KeyRing): SubscriptionSecrets {
  return {
    keysOf: cached(CACHED_KEYS_MAX, (subscriptionId, sealed) =>
      importSigningKeys(keyRing.decrypt(sealed, sealingContexts.secret(subscriptionId))),
    ),
    headersOf: cached(CACHED_HEADERS_MAX, (subscriptionId, sealed) =>
      Object.entries(openHeaders(keyRing, subscriptionId, sealed)).flat(),
    ),
  };
}

type Open<T> = (subscriptionId: string, sealed: string) => T;

function cached<T extends object>(max: number, open: Open<T>): Open<T> {
  const cache = new LRUCache<string, T>(atMost(max));
  return (subscriptionId, sealed) => {
    let opened = cache.get(sealed);
    if (opened === undefined) {
      opened = open(subscriptionId, sealed);
      cache.set(sealed, opened);
    }
    return opened;
  };
}
