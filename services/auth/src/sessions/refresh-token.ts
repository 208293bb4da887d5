import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@atrium/service-kit/key-ring';

/** 256 bits in base64url. */
const FORMAT = /^[A-Za-z0-9_-]{43}$/;

export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isRefreshToken(text: string | undefined): text is string {
  return text !== undefined && FORMAT.test(text);
}

/**
 * The possible successors of a token, one per key of the ring, the current key's first. A successor is
 * derived from its predecessor, so that a predecessor presented again within the grace period gets the
 * same one although only hashes are stored.
 */
export function successorsOf(keyRing: KeyRing, token: string): [string, ...string[]] {
  const [current, ...older] = keyRing.macs('auth refresh-successor', token);
  return [current.toString('base64url'), ...older.map((mac) => mac.toString('base64url'))];
}
