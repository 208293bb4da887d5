import { HttpError } from '@atrium/service-kit/http-error';
import type { Database } from '../database.ts';
import { markVerified } from '../accounts/email-store.ts';
import { setPasswordHash } from '../accounts/password-store.ts';
import { findByEmail, lockAccount } from '../accounts/store.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Emails } from '../email/outbox/store.ts';
import {
  consumeEmailToken,
  createEmailToken,
  deleteEmailTokens,
  findEmailTokenOwner,
} from '../email/tokens/store.ts';
import { enqueuePasswordNotice } from '../passwords/change.ts';
import type { Passwords } from '../passwords/password-rules.ts';
import { revokeAccess } from '../second-factor/challenges/revoke-access.ts';
import { type RemoveAccessDeps, removeAccessSince, removeMachineSecrets } from './remove-access.ts';

const PURPOSE = 'reset-password';
const DECOY_TOKEN = 'x'.repeat(43);

export interface ResetRequestDeps {
  database: Database;
  emails: Emails;
  audit: AuditLog;
  clockMs: () => number;
}

export interface PasswordResetDeps extends ResetRequestDeps, RemoveAccessDeps {
  passwords: Passwords;
}

/**
 * Mails a reset link if the address has an account. An unknown address costs a transaction of the same
 * kind, so that timing does not reveal which addresses have one.
 */
export async function requestPasswordReset(
  { database, emails, audit, clockMs }: ResetRequestDeps,
  email: string,
  origin: RequestOrigin,
): Promise<void> {
  const nowMs = clockMs();
  const account = await findByEmail(database, email);
  await database.transaction(origin, async (tx) => {
    const accountId = account?.id ?? null;
    await audit.record(tx, { kind: 'password.reset_requested', accountId, origin });
    if (account === undefined) {
      const nobody = { email, name: '', language: 'en' } as const;
      await emails.enqueueDecoy(tx, emails.templates.resetPassword(nobody, DECOY_TOKEN));
      return;
    }
    const { id, email: to } = account;
    const reset = { purpose: PURPOSE, accountId: id, email: to, nowMs } as const;
    const token = await createEmailToken(tx, reset);
    await emails.enqueue(tx, PURPOSE, emails.templates.resetPassword(account, token));
  });
}

/**
 * Sets a new password with a reset token, once, and revokes all access. The token also proves the
 * address: on its first proof, factors, linked login providers and devices are removed, because they may belong to
 * someone who registered with another person's address.
 *
 * @throws HttpError 422 when the token is invalid or the password is refused
 */
export async function resetPassword(
  deps: PasswordResetDeps,
  { token, password }: { token: string; password: string },
  origin: RequestOrigin,
): Promise<{ accountId: string; email: string }> {
  const nowMs = deps.clockMs();
  const owner = await findEmailTokenOwner(deps.database, { purpose: PURPOSE, token, nowMs });
  if (owner === undefined) {
    throw new HttpError('email-token-invalid');
  }
  const { accountId, username, email } = owner;
  deps.passwords.check({ password, field: 'Password', username, email });
  const passwordHash = await deps.passwords.hash(password);
  await deps.database.transaction(origin, async (tx) => {
    // The account is locked first, as in every change: another order could deadlock.
    await lockAccount(tx, accountId);
    if ((await consumeEmailToken(tx, { purposes: [PURPOSE], token, nowMs })) === undefined) {
      throw new HttpError('email-token-invalid');
    }
    await setPasswordHash(tx, { accountId, passwordHash, nowMs });
    await revokeAccess(tx, { accountId, nowMs });
    const entry = { accountId, origin };
    await removeMachineSecrets(deps, tx, entry);
    if (await markVerified(tx, { accountId, email, nowMs })) {
      await removeAccessSince(deps, tx, { ...entry, since: new Date(0) });
      await deps.audit.record(tx, { kind: 'email.verified', ...entry });
    }
    await deleteEmailTokens(tx, [PURPOSE, 'confirm-email'], accountId);
    await enqueuePasswordNotice(deps.emails, tx, { ...owner, id: accountId, nowMs });
    await deps.audit.record(tx, { kind: 'password.reset', ...entry });
  });
  return { accountId, email };
}
