import { HttpError } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { emailKey, RATE_LIMITS } from '../rate-limits.ts';

/**
 * Whether the owner of an address may be told once more that somebody wanted to use it. Past the
 * limit the notice is left out; the answer to whoever asked stays the same.
 */
export async function mayNotifyOwner(rateLimiter: RateLimiter, email: string): Promise<boolean> {
  try {
    await rateLimiter.consume(RATE_LIMITS.takenEmailNotice, emailKey(email));
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) {
      return false;
    }
    throw error;
  }
}
