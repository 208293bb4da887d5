import type { RegisterBody } from '@atrium/contracts/auth/accounts';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Language } from '@atrium/contracts/auth/profile';
import { HttpError, unavailable } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database, Tx } from '../database.ts';
import { setPlan } from '../plans/set-plan.ts';
import { keepInvitation } from '../accounts/invitation-store.ts';
import { findEmailOwner, insertAccount, type NewAccount } from '../accounts/new-account-store.ts';
import { isUsernameTaken, lockUsername, reserveUsername } from '../accounts/username-store.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Emails } from '../email/outbox/store.ts';
import { enqueueVerification } from '../email/verification/message.ts';
import type { Passwords } from '../passwords/password-rules.ts';
import { checkPerson } from './person.ts';

const RETRY_AFTER_SECONDS = 1;

export interface RegisterDeps {
  database: Database;
  keyRing: KeyRing;
  passwords: Passwords;
  emails: Emails;
  audit: AuditLog;
  clockMs: () => number;
  defaultPlan: Plan;
}

/**
 * Registers an account. A taken address cannot be told from a free one, not by timing either: both
 * cost a hash and an email, which goes to the owner of a taken address.
 *
 * @throws HttpError 409 when the username is taken, 422 for an invalid password or birthdate
 */
export async function registerAccount(
  deps: RegisterDeps,
  { body, language }: { body: RegisterBody; language: Language },
  origin: RequestOrigin,
): Promise<void> {
  const { database } = deps;
  const nowMs = deps.clockMs();
  const { password, invitation, ...fields } = body;
  const input = checkPerson(fields, nowMs);
  const { username, email } = input;
  deps.passwords.check({ password, field: 'Password', username, email });
  // Saves the hash in the common case; the lock within the transaction decides.
  if (await isUsernameTaken(database, username, nowMs)) {
    throw usernameTaken();
  }
  const passwordHash = await deps.passwords.hash(password);
  await database.transaction(origin, async (tx) => {
    if (!(await lockUsername(tx, username, nowMs))) {
      throw usernameTaken();
    }
    const account = { ...input, passwordHash, language };
    const accountId = await insertAccount(tx, account, nowMs);
    await (accountId === undefined
      ? pretendSuccess(deps, tx, { account, origin, nowMs })
      : sendVerification(deps, tx, { accountId, email, language, origin, nowMs, invitation }));
  });
}

async function sendVerification(
  deps: RegisterDeps,
  tx: Tx,
  account: {
    accountId: string;
    email: string;
    language: Language;
    origin: RequestOrigin;
    nowMs: number;
    invitation: string | undefined;
  },
): Promise<void> {
  const { accountId, origin, invitation, nowMs } = account;
  if (deps.defaultPlan !== 'free') await setPlan(tx, { accountId, plan: deps.defaultPlan, nowMs });
  if (invitation !== undefined) {
    await keepInvitation(tx, deps.keyRing, { accountId, invitation });
  }
  await enqueueVerification(deps.emails, tx, account);
  await deps.audit.record(tx, { kind: 'account.registered', accountId, origin });
}

/** Reserves the username, so that registering it again fails as it would after a success. */
async function pretendSuccess(
  { emails, audit }: RegisterDeps,
  tx: Tx,
  attempt: { account: NewAccount; origin: RequestOrigin; nowMs: number },
): Promise<void> {
  const { account, origin, nowMs } = attempt;
  const owner = await findEmailOwner(tx, account.email);
  if (owner === undefined) {
    // The conflicting account was deleted, or just took the username: a retry will succeed or say so.
    throw unavailable('The service is busy, please try again', RETRY_AFTER_SECONDS);
  }
  await reserveUsername(tx, account.username, nowMs);
  const { accountId } = owner;
  await emails.enqueue(tx, 'email-taken', emails.templates.emailTaken(owner));
  await audit.record(tx, { kind: 'account.address_reused', accountId, origin });
}

function usernameTaken(): HttpError {
  return new HttpError('username-taken');
}
