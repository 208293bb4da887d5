import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** So that scanners of leaked secrets find them. */
const PREFIX = 'atrium_app_';
const SECRET_BYTES = 32;
const ENDING_LENGTH = 4;

/** Kinds of application; others could not keep one from those who use them. */
export const KEEPS_SECRETS: ReadonlySet<string> = new Set(['web', 'machine']);

export interface NewSecret {
  secret: string;
  hash: Uint8Array<ArrayBuffer>;
  ending: string;
}

/** 256 random bits, so a plain hash is enough. */
export function newSecret(): NewSecret {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashSecret(secret), ending: secret.slice(-ENDING_LENGTH) };
}

const hashSecret = (secret: string) => new Uint8Array(hash('sha256', secret, 'buffer'));

export function isOneOf(secret: string, hashes: readonly Uint8Array[]): boolean {
  const given = hashSecret(secret);
  return hashes.some((known) => timingSafeEqual(known, given));
}
