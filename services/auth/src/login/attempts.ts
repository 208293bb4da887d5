// Why it is so: docs/decisions/0006-password-attempts-count-by-account-and-device.md
import type { Sql } from '@atrium/service-kit/database';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { findLoginAccount, type FoundAccount } from '../accounts/login-account-store.ts';
import { type Attempt, limitAttempts } from '../attempt-limiter.ts';
import { emailKey, RATE_LIMITS } from '../rate-limits.ts';
import type { Client } from '../sessions/client.ts';

/**
 * Finds the account and runs `check`, which throws 401 for a wrong password. All unknown devices of an
 * account share one limit, and a success gives back its own attempt only, so an attacker's failures
 * still count after the owner logs in. A known device has a limit of its own and does not count against
 * its IP address, so that an attacker cannot lock the owner out.
 *
 * @throws HttpError 429, whether or not the account exists
 */
export async function limitLogins<Result>(
  { database, rateLimiter }: { database: Sql; rateLimiter: RateLimiter },
  { email, client }: { email: string; client: Client },
  check: (found: FoundAccount | undefined) => Promise<Result>,
): Promise<Result> {
  const { fingerprint, hasCookie } = client.device;
  const { ipAddress } = client.origin;
  const account = emailKey(email);
  const find = () => findLoginAccount(database, { email, fingerprint });
  // Without a device cookie the device is unknown, so a rejection costs no query.
  const found = hasCookie ? await find() : undefined;
  const attempts: Attempt[] =
    found?.isKnownDevice === true
      ? [
          {
            rule: RATE_LIMITS.loginByKnownDevice,
            key: `${account}:${fingerprint.toString('base64url')}`,
            clearsOnSuccess: true,
          },
        ]
      : [
          { rule: RATE_LIMITS.loginByIp, key: ipAddress },
          { rule: RATE_LIMITS.loginByUnknownDevice, key: account },
        ];
  return limitAttempts(rateLimiter, attempts, async () => {
    await rateLimiter.consume(RATE_LIMITS.hashesByIp, ipAddress);
    return check(hasCookie ? found : await find());
  });
}
