import { createHash } from 'node:crypto';

/** What is stored of a token. Its random bits, 128 or more, cannot be guessed, so a plain hash is enough. */
export function tokenHash(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}
