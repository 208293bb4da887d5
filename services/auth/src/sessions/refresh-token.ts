import { createHash, randomBytes } from 'node:crypto';
import type { KeyRing } from '@atrium/service-kit/key-ring';

/** 256 bits in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isRefreshToken(text: string | undefined): text is string {
  return text !== undefined && FORM.test(text);
}

/** What is stored. A plain hash is enough: there is nothing to guess in 256 random bits. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * The successors a token can have, one per ring key, the current key's first. A successor follows
 * from its predecessor, so that whoever shows the predecessor again within the grace period can be
 * given the very same one, although nothing but hashes is stored.
 */
export function successorsOf(keyRing: KeyRing, token: string): [string, ...string[]] {
  const [current, ...older] = keyRing.macs('auth refresh-successor', token);
  return [current.toString('base64url'), ...older.map((mac) => mac.toString('base64url'))];
}
