import { HttpError } from '@atrium/service-kit/http-error';
import type { RateLimiter, RateLimitRule } from '@atrium/service-kit/rate-limit';
import { RATE_LIMITS } from './rate-limits.ts';

/** One attempt under one rule. It stops counting when it succeeds or the secret was never checked. */
export interface Attempt {
  rule: RateLimitRule;
  key: string;
  /** A success clears the earlier failures too: only for keys that an attacker cannot share. */
  clearsOnSuccess?: boolean;
}

/**
 * Runs `check`, which throws 401 for a wrong secret. Attempts are counted before the check, so that
 * parallel ones cannot exceed the limit.
 *
 * @throws HttpError 429 after too many failures
 */
export async function limitAttempts<Result>(
  rateLimiter: RateLimiter,
  attempts: Attempt[],
  check: () => Promise<Result>,
): Promise<Result> {
  const counted: Attempt[] = [];
  let result: Result;
  try {
    for (const attempt of attempts) {
      await rateLimiter.consume(attempt.rule, attempt.key);
      counted.push(attempt);
    }
    result = await check();
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 401)) {
      // The secret may not have been checked, so only this attempt is given back.
      await Promise.all(counted.map(({ rule, key }) => rateLimiter.refund(rule, key)));
    }
    throw error;
  }
  await Promise.all(
    attempts.map(({ rule, key, clearsOnSuccess }) =>
      clearsOnSuccess === true ? rateLimiter.forget(rule, key) : rateLimiter.refund(rule, key),
    ),
  );
  return result;
}

/** Counts once and returns whether the limit allowed it: for work that may be skipped. */
export async function isWithinLimit(
  rateLimiter: RateLimiter,
  rule: RateLimitRule,
  key: string,
): Promise<boolean> {
  try {
    await rateLimiter.consume(rule, key);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) {
      return false;
    }
    throw error;
  }
}

/**
 * Counts the hash that checking a password of a logged-in account costs, right or wrong; it is never
 * given back. Call it within `limitAttempts`, so that refused attempts do not use it up.
 *
 * @throws HttpError 429
 */
export async function limitHashes(
  rateLimiter: RateLimiter,
  { accountId, ipAddress }: { accountId: string; ipAddress: string },
): Promise<void> {
  await rateLimiter.consume(RATE_LIMITS.hashesByAccount, accountId);
  await rateLimiter.consume(RATE_LIMITS.hashesByIp, ipAddress);
}

/**
 * Clears the failed second steps of an account whose password has changed, since knowing the old one
 * does not help any more. Limited, or access to a mailbox would allow unlimited attempts at codes.
 */
export async function clearSecondStepAttempts(
  rateLimiter: RateLimiter,
  accountId: string,
): Promise<void> {
  if (await isWithinLimit(rateLimiter, RATE_LIMITS.clearedSecondSteps, accountId)) {
    await rateLimiter.forget(RATE_LIMITS.mfaByAccount, accountId);
    await rateLimiter.forget(RATE_LIMITS.recoveryByAccount, accountId);
  }
}
