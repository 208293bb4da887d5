import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { isWithinLimit } from '../../attempt-limiter.ts';
import { emailKey, RATE_LIMITS } from '../../rate-limits.ts';

/**
 * Whether the owner of an email address may be written to again, because of an account that has not verified it. Past
 * the limit no email is sent; the response to the request stays the same.
 */
export function mayWriteToEmailOwner(rateLimiter: RateLimiter, email: string): Promise<boolean> {
  return isWithinLimit(rateLimiter, RATE_LIMITS.emailToStranger, emailKey(email));
}
