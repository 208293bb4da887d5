import { randomBytes } from 'node:crypto';
import { MFA_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth/mfa';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Database, Tx } from '../../database.ts';
import { isSecondFactorOn } from '../factor.ts';
import { findFactors } from '../store.ts';
import { tokenHash } from '../../token-hash.ts';

/** With five attempts per login, a six-digit code is guessed once in 66,667 logins. */
const ATTEMPTS_MAX = 5;
/** Expired challenges that each new one deletes, so that the table stays small. */
const PURGE_LIMIT = 10;

/**
 * Makes the MFA challenge of a login whose password was right, if the account has a second factor. The
 * caller holds the account's lock. Challenges are in Postgres, so losing Redis changes nothing.
 *
 * @returns the token for the second step, or undefined when none is needed
 */
export async function createMfaChallenge(
  tx: Tx,
  accountId: string,
  nowMs: number,
): Promise<string | undefined> {
  if (!isSecondFactorOn(await findFactors(tx, accountId))) {
    return undefined;
  }
  const token = randomBytes(32).toString('base64url');
  // Raw SQL for SKIP LOCKED.
  await tx.query(
    `DELETE FROM mfa_challenges WHERE hash IN (
       SELECT hash FROM mfa_challenges WHERE expires_at < $1
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [new Date(nowMs), PURGE_LIMIT],
  );
  const expiresAt = new Date(nowMs + MFA_TOKEN_TTL_SECONDS * 1000);
  await tx.prisma.mfaChallenge.create({ data: { hash: tokenHash(token), accountId, expiresAt } });
  return token;
}

/** @throws HttpError 401 when the challenge is unknown, used or expired, or has no attempts left */
export async function findChallengeAccount(
  database: Database,
  token: string,
  nowMs: number,
): Promise<string> {
  const challenge = await database.prisma.mfaChallenge.findFirst({
    where: openChallenge(token, nowMs),
    select: { accountId: true },
  });
  if (challenge === null) {
    throw loginExpired();
  }
  return challenge.accountId;
}

/**
 * Consumes an attempt before the second step is checked, so that parallel requests get no more.
 *
 * @throws HttpError 401 when no attempts are left
 */
export async function consumeChallengeAttempt(
  database: Database,
  token: string,
  nowMs: number,
): Promise<void> {
  const { count } = await database.prisma.mfaChallenge.updateMany({
    where: openChallenge(token, nowMs),
    data: { attempts: { increment: 1 } },
  });
  if (count === 0) {
    throw loginExpired();
  }
}

/** Consumes the challenge; false when it was consumed or revoked meanwhile. */
export async function deleteChallenge(tx: Tx, token: string): Promise<boolean> {
  const { count } = await tx.prisma.mfaChallenge.deleteMany({ where: { hash: tokenHash(token) } });
  return count === 1;
}

/** Revokes every login of the account that waits for its second step. */
export async function deleteChallengesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.prisma.mfaChallenge.deleteMany({ where: { accountId } });
}

export function loginExpired() {
  return new HttpError('login-expired');
}

function openChallenge(token: string, nowMs: number) {
  return {
    hash: tokenHash(token),
    attempts: { lt: ATTEMPTS_MAX },
    expiresAt: { gt: new Date(nowMs) },
  };
}
