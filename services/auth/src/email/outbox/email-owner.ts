import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { isWithinLimit } from '../../attempt-limiter.ts';
import type { Database } from '../../database.ts';
import { emailKey, RATE_LIMITS } from '../../rate-limits.ts';
import type { EmailKind } from '../templates/templates.ts';

/** Kinds that have limits of their own where they are asked for, which no other email may use up. */
const LIMITED_ALREADY: ReadonlySet<string> = new Set<EmailKind>([
  'verify-email',
  'reset-password',
  'email-changed',
  'account-erased',
  'workspace-invited',
]);
/** Whoever registers has it sent, also to the verified address of another account. */
const EMAIL_TAKEN: EmailKind = 'email-taken';

/** Whether the owner of an email address may be written to again. */
export type MayWrite = (email: { kind: string; to: string }) => Promise<boolean>;

/**
 * Limits the emails to an address that no account has verified: it may be that of a person who knows nothing of it.
 * Decided when they are sent, so that the response to the request stays the same, takes equally long, and no
 * transaction waits for Redis.
 */
export function createEmailOwnerLimit(deps: {
  database: Database;
  rateLimiter: RateLimiter;
}): MayWrite {
  const { database, rateLimiter } = deps;
  return async ({ kind, to }) => {
    if (kind !== EMAIL_TAKEN && (await isVerified(database, to))) return true;
    return LIMITED_ALREADY.has(kind)
      ? isWithinLimit(rateLimiter, RATE_LIMITS.limitedEmailToStranger, `${kind} ${emailKey(to)}`)
      : isWithinLimit(rateLimiter, RATE_LIMITS.emailToStranger, emailKey(to));
  };
}

/** Raw: the index is on the address in lower case. */
async function isVerified(database: Database, email: string): Promise<boolean> {
  const rows = await database.query(
    'SELECT 1 FROM accounts WHERE lower(email) = lower($1) AND email_verified_at IS NOT NULL',
    [email],
  );
  return rows.length > 0;
}
