import { createHash, randomBytes } from 'node:crypto';
import { MFA_TOKEN_TTL_SECONDS } from '@atrium/contracts/mfa';
import type { Sql } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import { isSecondFactorOn } from '../factor.ts';
import { countTry, findFactors, findPendingLogin, insertPendingLogin } from '../store.ts';

/** A code of six digits is guessed by chance once in 66,667 logins of so many tries. */
const TRIES_MAX = 5;

/**
 * Puts a login whose password was right on hold, if the account has a second factor. The caller
 * holds the account's lock. What waits is in Postgres: losing Redis loses and admits nothing.
 *
 * @returns the token for the second step, or undefined when none is needed
 */
export async function holdLogin(
  tx: Sql,
  accountId: string,
  nowMs: number,
): Promise<string | undefined> {
  if (!isSecondFactorOn(await findFactors(tx, accountId))) {
    return undefined;
  }
  const token = randomBytes(32).toString('base64url');
  await insertPendingLogin(tx, {
    hash: hashMfaToken(token),
    accountId,
    now: new Date(nowMs),
    expiresAt: new Date(nowMs + MFA_TOKEN_TTL_SECONDS * 1000),
  });
  return token;
}

/** What is stored. A plain hash is enough: there is nothing to guess in 256 random bits. */
export function hashMfaToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** @throws HttpError 401 when the login is unknown, used, too old, or was tried too often */
export async function ownerOfPendingLogin(sql: Sql, token: string, nowMs: number): Promise<string> {
  const login = { hash: hashMfaToken(token), triesMax: TRIES_MAX, now: new Date(nowMs) };
  const accountId = await findPendingLogin(sql, login);
  if (accountId === undefined) {
    throw loginExpired();
  }
  return accountId;
}

/**
 * Counts a try at the second step, for good, before it is looked at: parallel tries get no more.
 *
 * @throws HttpError 401 when there are none left
 */
export async function spendTry(sql: Sql, token: string, nowMs: number): Promise<void> {
  const login = { hash: hashMfaToken(token), triesMax: TRIES_MAX, now: new Date(nowMs) };
  if (!(await countTry(sql, login))) {
    throw loginExpired();
  }
}

export function loginExpired() {
  return unauthorized('Login has expired, please log in again');
}
