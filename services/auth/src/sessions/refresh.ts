import { REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth/accounts';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Sql } from '@atrium/service-kit/database';
import type { TokenSubject } from '../signing-keys/access-token.ts';
import { listSuccessorHashes, rotateToken } from './refresh-store.ts';
import { successorsOf } from './refresh-token.ts';
import { tokenHash } from '../token-hash.ts';
import { revokeSessions } from './store.ts';

/**
 * For two tabs and lost answers: within this time the device that logged in still gets the newest token
 * of the session for an old one.
 */
const GRACE_MS = 20_000;
/** Each refresh stores a row. Far more than the reloads of an hour in many tabs. */
const HOURLY_MAX = 300;
/** Raises the limit where access tokens live for seconds only. */
const REFRESHES_PER_TOKEN = 2;
const HOUR_SECONDS = 3600;
/** The hourly limit on refreshes frees up minute by minute. */
export const THROTTLED_SECONDS = 60;

export type Refresh =
  | { kind: 'refreshed'; refreshToken: string; subject: TokenSubject }
  | { kind: 'refused' }
  | { kind: 'suspended' }
  /** Too many refreshes within the hour; the token stays valid. */
  | { kind: 'throttled' }
  /** A token was used again after its grace period, so it was copied: its session is revoked. */
  | { kind: 'replayed'; accountId: string; sessionId: string };

export interface RefreshDeps {
  database: Sql;
  keyRing: KeyRing;
  accessTokenTtlSeconds: number;
  /** Whether each use extends the session; otherwise it ends 7 days after the login. */
  isSliding: boolean;
  /** Whether the refreshes of a session are limited. */
  isLimited: boolean;
}

export interface RefreshRequest {
  token: string;
  ipAddress: string;
  /** Whether the request carries the cookie of this device. */
  isDevice: (deviceIdHash: Buffer) => boolean;
  nowMs: number;
}

/** Exchanges a refresh token for its successor. Parallel requests with one token are serialised. */
export async function refresh(
  { database, keyRing, accessTokenTtlSeconds, isSliding, isLimited }: RefreshDeps,
  { token, ipAddress, isDevice, nowMs }: RefreshRequest,
): Promise<Refresh> {
  const [successor] = successorsOf(keyRing, token);
  const held = await rotateToken(database, {
    token,
    successor,
    ipAddress,
    nowMs,
    accessTokenTtlSeconds,
    extendToMs: isSliding ? nowMs + REFRESH_TOKEN_TTL_SECONDS * 1000 : null,
    hourlyMax: isLimited ? hourlyMax(accessTokenTtlSeconds) : null,
  });
  if (held?.isSuspended === true) {
    return { kind: 'suspended' };
  }
  if (held === undefined || held.isRevoked) {
    return { kind: 'refused' };
  }
  const { accountId, email, sessionId, plan, emailVerified, sessionEndsAt } = held;
  const endsAtMs = sessionEndsAt.getTime();
  const subject = { accountId, email, sessionId, plan, emailVerified, endsAtMs };
  if (held.rotatedAt === null) {
    if (held.isExpired) {
      return { kind: 'refused' };
    }
    return held.isThrottled
      ? { kind: 'throttled' }
      : { kind: 'refreshed', refreshToken: successor, subject };
  }
  if (nowMs - held.rotatedAt.getTime() <= GRACE_MS) {
    // A copied token gets nothing, and ends nothing: it may also be a client that keeps no device cookie.
    if (!isDevice(held.deviceIdHash)) {
      return { kind: 'refused' };
    }
    const refreshToken = await newestToken(database, keyRing, token);
    return refreshToken === undefined
      ? { kind: 'refused' }
      : { kind: 'refreshed', refreshToken, subject };
  }
  await revokeSessions(database, { sessionId, accountId }, nowMs);
  return { kind: 'replayed', sessionId, accountId };
}

/** Refreshes allowed within an hour, of a session or of a login to an application. */
export function hourlyMax(accessTokenTtlSeconds: number): number {
  return Math.max(
    HOURLY_MAX,
    Math.ceil((REFRESHES_PER_TOKEN * HOUR_SECONDS) / accessTokenTtlSeconds),
  );
}

/** Derives the newest token of a session from an older one, as only hashes are stored. */
async function newestToken(
  database: Sql,
  keyRing: KeyRing,
  token: string,
): Promise<string | undefined> {
  let newest: string | undefined = token;
  for (const hash of await listSuccessorHashes(database, token)) {
    // While keys change, another replica may have rotated it with another key.
    newest = successorsOf(keyRing, newest).find((one) => tokenHash(one).equals(hash));
    if (newest === undefined) {
      return undefined;
    }
  }
  return newest;
}
