import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { isWithinLimit } from '../attempt-limiter.ts';
import { RATE_LIMITS } from '../rate-limits.ts';

/**
 * Forgets the wrong second steps of an account whose password is new: whoever knew the old one takes
 * no more. Only so often, because a mailbox, with which passwords are reset, must not become a way to
 * try all codes.
 */
export async function clearSecondSteps(rateLimiter: RateLimiter, accountId: string): Promise<void> {
  if (await isWithinLimit(rateLimiter, RATE_LIMITS.clearedSecondSteps, accountId)) {
    await rateLimiter.forget(RATE_LIMITS.mfaByAccount, accountId);
    await rateLimiter.forget(RATE_LIMITS.recoveryByAccount, accountId);
  }
}
