import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

const PRIVATE_PREFIX = 'whsk_';
const PUBLIC_PREFIX = 'whpk_';
const KEY_BYTES = 32;

/** Keys of Standard Webhooks' `v1a` (github.com/standard-webhooks/standard-webhooks). */
export interface KeyPair {
  /** `whsk_` and, in base64, the 32 bytes of the private key and the 32 of the public one. */
  privateKey: string;
  /** `whpk_` and the 32 bytes of the public key in base64. */
  publicKey: string;
}

/** A new Ed25519 key pair. */
export function newKeyPair(): KeyPair {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [privateBytes, publicBytes] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  return {
    privateKey: PRIVATE_PREFIX + Buffer.concat([privateBytes, publicBytes]).toString('base64'),
    publicKey: PUBLIC_PREFIX + publicBytes.toString('base64'),
  };
}

/** Imports a private key as `newKeyPair` writes it. */
export function importPrivateKey(text: string): KeyObject {
  const bytes = Buffer.from(text.slice(PRIVATE_PREFIX.length), 'base64');
  const d = bytes.subarray(0, KEY_BYTES).toString('base64url');
  const x = bytes.subarray(KEY_BYTES).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}
