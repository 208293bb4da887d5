import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '@atrium/service-kit/database';
import { type ChallengeUse, deleteChallenge, insertChallenge } from './challenge-store.ts';

/** As long as the second step of a login may take; browsers give people one to five minutes. */
const TTL_MS = 300_000;
/** Twice what WebAuthn Level 3 section 13.4.3 asks for. */
const CHALLENGE_BYTES = 32;

/** Makes what an authenticator shall sign; the server remembers it, hashed, for five minutes. */
export async function issueChallenge(
  sql: Sql,
  use: ChallengeUse,
  nowMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
  const hash = hashOf(Buffer.from(challenge).toString('base64url'));
  await insertChallenge(sql, {
    ...use,
    hash,
    now: new Date(nowMs),
    expiresAt: new Date(nowMs + TTL_MS),
  });
  return challenge;
}

/**
 * Takes back the challenge that a credential says it signed. From here on nobody can use it again,
 * whatever comes of this credential. Undefined when we never gave it out for this use.
 */
export async function takeChallenge(
  sql: Sql,
  use: ChallengeUse,
  given: { clientDataJSON: string; nowMs: number },
): Promise<string | undefined> {
  const challenge = challengeIn(given.clientDataJSON);
  if (challenge === undefined) {
    return undefined;
  }
  const now = new Date(given.nowMs);
  return (await deleteChallenge(sql, { ...use, hash: hashOf(challenge), now }))
    ? challenge
    : undefined;
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof data === 'object' &&
      data !== null &&
      'challenge' in data &&
      typeof data.challenge === 'string'
      ? data.challenge
      : undefined;
  } catch {
    return undefined;
  }
}
