import type { RegisterBody } from '@atrium/contracts/auth';
import type { Database } from '@atrium/service-kit/database';
import { conflict, HttpError, validationError } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { issueLinkToken } from '../mail-links/tokens.ts';
import type { PostMail } from '../mail/outbox.ts';
import type { MailTemplates } from '../mail/templates.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import type { CheckNewPassword } from '../passwords/password-rules.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { checkBirthdate } from './birthdate.ts';
import { isUsernameTaken, register } from './store.ts';

export interface RegisterDeps {
  database: Database;
  rateLimiter: RateLimiter;
  hasher: PasswordHasher;
  checkNewPassword: CheckNewPassword;
  templates: MailTemplates;
  postMail: PostMail;
  clockMs: () => number;
}

/**
 * Registers an account. An address that has one already looks the same from outside, also to the
 * clock: the password is hashed and one mail is posted either way, to the owner in this case.
 *
 * @throws HttpError 409 when the username is taken, 422 for a bad password or birthdate
 */
export async function registerAccount(deps: RegisterDeps, body: RegisterBody): Promise<void> {
  const { database, templates, postMail } = deps;
  const nowMs = deps.clockMs();
  const { password, ...fields } = body;
  const input = { ...fields, name: body.name.trim() };
  if (input.name === '') {
    throw validationError('Name must not be blank');
  }
  checkBirthdate(input.birthdate, nowMs);
  deps.checkNewPassword({
    password,
    field: 'Password',
    username: input.username,
    email: input.email,
  });
  // Saves the hash in the common case; the unique index has the last word.
  if (await isUsernameTaken(database, input.username)) {
    throw usernameTaken();
  }
  const passwordHash = await deps.hasher.hash(password);
  const mayNotify = await isWithinLimit(deps.rateLimiter, input.email);
  const outcome = await register(
    database,
    { ...input, passwordHash },
    nowMs,
    async (tx, registration) => {
      if (registration.kind === 'registered') {
        const { accountId } = registration;
        const { email } = input;
        const link = { purpose: 'verify-email', accountId, email, nowMs } as const;
        const token = await issueLinkToken(tx, link);
        await postMail(tx, 'verify-email', templates.verifyEmail(email, token));
      } else if (registration.kind === 'email-taken' && mayNotify) {
        const { email, name } = registration.owner;
        await postMail(tx, 'email-taken', templates.emailTaken(email, name));
      }
    },
  );
  if (outcome.kind === 'username-taken') {
    throw usernameTaken();
  }
}

function usernameTaken(): HttpError {
  return conflict('Username is already taken');
}

/** Past the limit the notice is left out; the answer stays the same. */
async function isWithinLimit(rateLimiter: RateLimiter, email: string): Promise<boolean> {
  try {
    await rateLimiter.consume(RATE_LIMITS.takenEmailNotice, email.toLowerCase());
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) {
      return false;
    }
    throw error;
  }
}
