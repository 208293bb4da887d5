import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 256 random bits need no slow hash, and the database never holds what is in the email. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function createToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}
