import { randomBytes } from 'node:crypto';
import type { Database, Queries } from '../../database.ts';
import { tokenHash } from '../../token-hash.ts';

/** The use and the account that a challenge is for; a passwordless login has no account yet. */
export type ChallengeUse =
  | { purpose: 'register' | 'second-step'; accountId: string }
  | { purpose: 'login'; accountId: null };

/** As long as the second step of a login may take; browsers allow one to five minutes. */
const TTL_MS = 300_000;
/** Twice what WebAuthn Level 3 section 13.4.3 requires. */
const CHALLENGE_BYTES = 32;
/** Expired challenges that each new one deletes, so that the table stays small. */
const PURGE_LIMIT = 10;

/** Makes a challenge for an authenticator to sign; its hash is stored for five minutes. */
export async function issueChallenge(
  queries: Queries,
  use: ChallengeUse,
  nowMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
  // Raw SQL for SKIP LOCKED.
  await queries.query(
    `DELETE FROM passkey_challenges WHERE hash IN (
       SELECT hash FROM passkey_challenges WHERE expires_at < $1
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [new Date(nowMs), PURGE_LIMIT],
  );
  const hash = tokenHash(Buffer.from(challenge).toString('base64url'));
  const expiresAt = new Date(nowMs + TTL_MS);
  await queries.prisma.passkeyChallenge.create({ data: { ...use, hash, expiresAt } });
  return challenge;
}

/**
 * Finds the challenge that a credential claims to have signed.
 *
 * @returns undefined when no such challenge was issued for this use, or it was consumed or has expired
 */
export async function findChallenge(
  database: Database,
  use: ChallengeUse,
  { clientDataJSON, nowMs }: { clientDataJSON: string; nowMs: number },
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) {
    return undefined;
  }
  const found = await database.prisma.passkeyChallenge.count({
    where: { ...use, hash: tokenHash(challenge), expiresAt: { gt: new Date(nowMs) } },
  });
  return found === 1 ? challenge : undefined;
}

/**
 * Consumes a challenge that was found: in the transaction of what its credential allows, so that a
 * request can be repeated when that fails, or at once when the credential is invalid.
 *
 * @returns false when a parallel request has consumed it
 */
export async function consumeChallenge(queries: Queries, challenge: string): Promise<boolean> {
  const { count } = await queries.prisma.passkeyChallenge.deleteMany({
    where: { hash: tokenHash(challenge) },
  });
  return count === 1;
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
