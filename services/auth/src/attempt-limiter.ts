import { HttpError } from '@atrium/service-kit/http-error';
import type { RateLimiter, RateLimitRule } from '@atrium/service-kit/rate-limit';
import { RATE_LIMITS } from './rate-limits.ts';

/** One count of a guess: to be taken back when it was right or was not looked at. */
export interface Guess {
  rule: RateLimitRule;
  key: string;
  /** A right guess clears the whole count, not only itself: for keys that no stranger can use. */
  clears?: boolean;
}

/**
 * Runs `work`, which looks at a secret that somebody gave and throws 401 for a wrong one. The guess
 * is counted first, so that parallel guesses cannot outrun the count.
 *
 * @throws HttpError 429 when too many were wrong
 */
export async function countGuess<Result>(
  rateLimiter: RateLimiter,
  guesses: Guess[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const { rule, key } of guesses) {
    await rateLimiter.consume(rule, key);
  }
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 401)) {
      // Perhaps nobody looked at it, so this one counts for nothing; those before it stay.
      await Promise.all(guesses.map(({ rule, key }) => rateLimiter.refund(rule, key)));
    }
    throw error;
  }
  await Promise.all(
    guesses.map(({ rule, key, clears }) =>
      clears === true ? rateLimiter.forget(rule, key) : rateLimiter.refund(rule, key),
    ),
  );
  return result;
}

/** Counts once more and answers whether the limit allowed it: for what can be left out. */
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
 * Counts a password that is about to be looked at for somebody who is logged in. Never taken back:
 * also the right ones cost a hash each, of which all accounts together have few. Within `countGuess`,
 * so that guesses that are refused there count for nothing here.
 *
 * @throws HttpError 429
 */
export async function countHash(
  rateLimiter: RateLimiter,
  { accountId, ipAddress }: { accountId: string; ipAddress: string },
): Promise<void> {
  await rateLimiter.consume(RATE_LIMITS.hashesByAccount, accountId);
  await rateLimiter.consume(RATE_LIMITS.hashesByAddress, ipAddress);
}
