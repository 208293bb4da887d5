import type { RegisterBody } from '@atrium/contracts/auth';
import type { Database } from '@atrium/service-kit/database';
import { conflict, type HttpError, validationError } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import { createEmailToken } from '../email/tokens/store.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import { mayNotifyAddressOwner } from '../email/outbox/taken-email-notice.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import type { CheckNewPassword } from '../passwords/password-rules.ts';
import { checkBirthdate } from './birthdate.ts';
import { register } from '../accounts/registration-store.ts';
import { isUsernameTaken } from '../accounts/username-store.ts';

export interface RegisterDeps {
  database: Database;
  rateLimiter: RateLimiter;
  hasher: PasswordHasher;
  checkNewPassword: CheckNewPassword;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/**
 * Registers an account. An address that has one already looks the same from outside, also to the
 * clock: the password is hashed and one mail is posted either way, to the owner in this case.
 *
 * @throws HttpError 409 when the username is taken, 422 for a bad password or birthdate
 */
export async function registerAccount(
  deps: RegisterDeps,
  body: RegisterBody,
  origin: RequestOrigin,
): Promise<void> {
  const { database, templates, enqueueEmail } = deps;
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
  // Saves the hash in the common case; the claim within the transaction has the last word.
  if (await isUsernameTaken(database, input.username, nowMs)) {
    throw usernameTaken();
  }
  const passwordHash = await deps.hasher.hash(password);
  const mayNotify = await mayNotifyAddressOwner(deps.rateLimiter, input.email);
  const outcome = await register(
    database,
    { ...input, passwordHash },
    nowMs,
    async (tx, registration) => {
      if (registration.kind === 'registered') {
        const { accountId } = registration;
        const { email } = input;
        const link = { purpose: 'verify-email', accountId, email, nowMs } as const;
        const token = await createEmailToken(tx, link);
        await enqueueEmail(tx, 'verify-email', templates.verifyEmail(email, token));
        await deps.recordAudit(tx, { kind: 'account.registered', accountId, origin, nowMs });
      } else if (registration.kind === 'email-taken') {
        const { accountId, email, name } = registration.owner;
        if (mayNotify) {
          await enqueueEmail(tx, 'email-taken', templates.emailTaken(email, name));
        }
        await deps.recordAudit(tx, { kind: 'account.address_reused', accountId, origin, nowMs });
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
