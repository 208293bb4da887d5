import { createHash } from 'node:crypto';
import {
  REVOKED_SESSIONS_PATH,
  RevokedSessionList,
  type RevokedSessionBatch,
} from '@atrium/contracts/revoked-sessions';
import { Value } from 'typebox/value';

const TIMEOUT_MS = 1000;

/** Stands for a session where anybody may read; a session id tells when somebody logged in. */
export function sessionDigest(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('base64url');
}

/**
 * Asks auth for the revoked sessions, by their digests.
 *
 * @param authUrl without a trailing slash
 * @throws when auth does not answer within a second, or not with such a list
 */
export async function fetchRevokedSessions(authUrl: string): Promise<RevokedSessionBatch> {
  const response = await fetch(`${authUrl}${REVOKED_SESSIONS_PATH}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
    redirect: 'error',
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`Auth answered ${response.status}`);
  }
  const answer: unknown = await response.json();
  if (!Value.Check(RevokedSessionList, answer)) {
    throw new TypeError('Auth did not answer with a list of revoked sessions');
  }
  return answer.sessions;
}
