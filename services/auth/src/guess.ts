import { HttpError } from '@atrium/service-kit/http-error';
import type { RateLimiter, RateLimitRule } from '@atrium/service-kit/rate-limit';

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
  let isWrong = false;
  try {
    return await work();
  } catch (error) {
    isWrong = error instanceof HttpError && error.status === 401;
    throw error;
  } finally {
    if (!isWrong) {
      await Promise.all(
        guesses.map(({ rule, key, clears }) =>
          clears === true ? rateLimiter.forget(rule, key) : rateLimiter.refund(rule, key),
        ),
      );
    }
  }
}
