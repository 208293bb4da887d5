import type { Sql } from '@atrium/service-kit/database';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { countGuess, type Guess } from '../attempt-limiter.ts';
import { emailKey, RATE_LIMITS } from '../rate-limits.ts';
import { findForLogin, type FoundAccount } from './known-device-store.ts';

export interface ThrottledLogin {
  email: string;
  /** The client's IP address. */
  address: string;
  fingerprint: Buffer;
  /** Without a device cookie the device cannot be a known one. */
  hasDeviceCookie: boolean;
}

/**
 * Finds the account and runs `work`, which checks a password, unless too many were wrong. All devices
 * that the account does not know share one budget, and a right password gives back its own attempt
 * only, so an attacker's failures stay counted when the owner logs in. A device that the account knows
 * has a budget of its own and does not count for its address, so that nobody's guesses shut the owner
 * out.
 *
 * @throws HttpError 429, the same whether or not the account exists
 */
export async function throttleLogin<Result>(
  { database, rateLimiter }: { database: Sql; rateLimiter: RateLimiter },
  login: ThrottledLogin,
  work: (found: FoundAccount | undefined) => Promise<Result>,
): Promise<Result> {
  const { email, address, fingerprint, hasDeviceCookie } = login;
  const account = emailKey(email);
  const find = () => findForLogin(database, { email, fingerprint });
  // Without a device cookie only after the throttling: refusing a stranger costs no query.
  const foundFirst = hasDeviceCookie ? await find() : undefined;
  const guesses: Guess[] = foundFirst?.isKnownDevice
    ? [
        {
          rule: RATE_LIMITS.loginByKnownDevice,
          key: `${account}:${fingerprint.toString('base64url')}`,
          clears: true,
        },
      ]
    : [
        { rule: RATE_LIMITS.loginByAddress, key: address },
        { rule: RATE_LIMITS.loginByStrangers, key: account },
      ];
  return countGuess(rateLimiter, guesses, async () => {
    await rateLimiter.consume(RATE_LIMITS.hashesByAddress, address);
    return work(hasDeviceCookie ? foundFirst : await find());
  });
}
