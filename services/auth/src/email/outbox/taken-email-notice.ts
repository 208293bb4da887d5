import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { isWithinLimit } from '../../attempt-limiter.ts';
import { emailKey, RATE_LIMITS } from '../../rate-limits.ts';

/**
 * Whether the owner of an email address may be notified again that someone tried to use it. Past the
 * limit no notice is sent; the response to the request stays the same.
 */
export function mayNotifyEmailOwner(rateLimiter: RateLimiter, email: string): Promise<boolean> {
  return isWithinLimit(rateLimiter, RATE_LIMITS.takenEmailNotice, emailKey(email));
}
