import { HttpError } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Requester } from '../accounts/requester.ts';
import { type Account, findBySession } from '../accounts/store.ts';
import { limitAttempts, limitHashes } from '../attempt-limiter.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Sql } from '@atrium/service-kit/database';
import { RATE_LIMITS } from '../rate-limits.ts';

/**
 * Checks the current password of a logged-in account.
 *
 * @throws HttpError 401 for a wrong password or a revoked session, 429 after too many wrong ones
 */
export type ConfirmPassword = (requester: Requester, password: string) => Promise<Account>;

export interface PasswordCheckDeps {
  database: Sql;
  rateLimiter: RateLimiter;
  hasher: PasswordHasher;
}

export function createPasswordConfirmation(
  deps: PasswordCheckDeps & { audit: AuditLog },
): ConfirmPassword {
  return (requester, password) =>
    checkCurrentPassword(deps, requester, password, async () => {
      const kind = 'password.refused';
      await deps.audit.record(deps.database, { kind, ...requester });
      return wrongPassword();
    });
}

/** @param rejection makes the error for a wrong password */
export function checkCurrentPassword(
  { database, rateLimiter, hasher }: PasswordCheckDeps,
  requester: Requester,
  password: string,
  rejection: () => Error | Promise<Error>,
): Promise<Account> {
  const { accountId, sessionId, origin } = requester;
  const attempt = { rule: RATE_LIMITS.confirmPassword, key: sessionId };
  return limitAttempts(rateLimiter, [attempt], async () => {
    await limitHashes(rateLimiter, { accountId, ipAddress: origin.ipAddress });
    const account = await findBySession(database, requester);
    if (account === undefined) {
      throw new HttpError('token-invalid');
    }
    if (!(await hasher.verify(account.passwordHash, password))) {
      throw await rejection();
    }
    return account;
  });
}

export function wrongPassword() {
  return new HttpError('password-wrong', 'Current password is wrong');
}
