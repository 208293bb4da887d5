// Why it is so: docs/decisions/0028-what-a-share-is.md
import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long whoever has opened a note may read it again without being counted or asked again. */
const ACCESS_TTL_SECONDS = 3600;
const ACCESS = /^(\d{1,10})\.([\w-]{43})$/;

function sign(key: Uint8Array, expiresAtSeconds: number): Buffer {
  return createHmac('sha256', key).update(String(expiresAtSeconds)).digest();
}

/** Proves that somebody has opened the note of the share with this key; nothing is stored. */
export function issueAccess(key: Uint8Array, nowMs: number): { access: string; expiresAt: Date } {
  const seconds = Math.floor(nowMs / 1000) + ACCESS_TTL_SECONDS;
  const access = `${seconds}.${sign(key, seconds).toString('base64url')}`;
  return { access, expiresAt: new Date(seconds * 1000) };
}

export function isAccessValid(key: Uint8Array, access: string | undefined, nowMs: number): boolean {
  const [, expiry, signature] = ACCESS.exec(access ?? '') ?? [];
  if (expiry === undefined || signature === undefined) return false;
  const given = Buffer.from(signature, 'base64url');
  return timingSafeEqual(given, sign(key, Number(expiry))) && Number(expiry) * 1000 > nowMs;
}
