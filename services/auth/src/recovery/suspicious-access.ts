import type { Sql } from '@atrium/service-kit/database';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Passwords } from '../passwords/password-rules.ts';
import type { Database } from '../database.ts';
import { restoreEmail } from '../accounts/email-store.ts';
import { setPasswordHash } from '../accounts/password-store.ts';
import { type Account, lockAccount } from '../accounts/store.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { Emails } from '../email/outbox/store.ts';
import {
  consumeEmailToken,
  createEmailToken,
  deleteEmailTokens,
  deleteEmailTokensSince,
  deleteEmailTokensSentElsewhere,
  type EmailToken,
  findEmailTokenAccount,
  isEmailRestorable,
} from '../email/tokens/store.ts';
import { cancelDeletion } from '../lifecycle/deletion/store.ts';
import { revokeAccess } from '../second-factor/challenges/revoke-access.ts';
import { type RemoveAccessDeps, removeAccessSince, removeMachineSecrets } from './remove-access.ts';

export interface SuspiciousAccessDeps extends RemoveAccessDeps {
  database: Database;
  passwords: Pick<Passwords, 'unusableHash'>;
  emails: Emails;
  clockMs: () => number;
}

/**
 * "This was not me": revokes all sessions, makes the password unusable, voids pending changes of the
 * address, removes the factors, linked login providers and devices added since the event that the notice was
 * about, restores the address that the notice went to if it was changed, and mails a link to a new password.
 *
 * @throws HttpError 422 when the token is invalid
 */
export async function revokeSuspiciousAccess(
  deps: SuspiciousAccessDeps,
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  const nowMs = deps.clockMs();
  const wanted = { purposes: ['revoke-access' as const, 'revert-email' as const], token, nowMs };
  const accountId = await findEmailTokenAccount(deps.database, wanted);
  if (accountId === undefined) {
    throw new HttpError('email-token-invalid');
  }
  await deps.database.transaction(origin, async (tx) => {
    const account = await lockAccount(tx, accountId);
    const link = await consumeEmailToken(tx, wanted);
    if (account === undefined || link === undefined) {
      throw new HttpError('email-token-invalid');
    }
    const revoked = await revokeAccess(tx, { accountId, nowMs });
    // The intruder may know the password, so it must not work until the owner has set another one.
    await setPasswordHash(tx, { accountId, passwordHash: deps.passwords.unusableHash, nowMs });
    await deleteEmailTokens(tx, ['confirm-email'], accountId);
    const { email } = link;
    await deleteEmailTokensSentElsewhere(tx, { purpose: 'reset-password', accountId, email });
    const entry = { accountId, origin };
    await removeMachineSecrets(deps, tx, entry);
    await removeAccessSince(deps, tx, { ...entry, since: link.createdAt });
    const isReverted = await revertEmail(tx, { account, link, nowMs });
    if (isReverted) {
      await deps.audit.record(tx, { kind: 'email.change_reverted', ...entry });
    }
    // The intruder may have asked for the deletion.
    if (await cancelDeletion(tx, accountId, new Date(nowMs))) {
      await deps.audit.record(tx, { kind: 'account.deletion_cancelled', ...entry });
    }
    const data = { endedSessions: revoked.length };
    await deps.audit.record(tx, { kind: 'owner.disavowed', ...entry, data });
    // Otherwise the present address may be the intruder's.
    if (isReverted || email === account.email) {
      const reset = { purpose: 'reset-password', accountId, email, nowMs } as const;
      const resetToken = await createEmailToken(tx, reset);
      const message = deps.emails.templates.resetPassword({ ...account, email }, resetToken);
      await deps.emails.enqueue(tx, 'reset-password', message);
    }
  });
}

/**
 * Any link restores the address that it was sent to, while that can be restored: people open the notice that came
 * first, which may be about a login. Restoring an address voids the links of later changes, and those of notices that
 * went to other addresses, which may be an intruder's; the links of earlier changes stay valid.
 */
async function revertEmail(
  tx: Sql,
  { account, link, nowMs }: { account: Account; link: EmailToken; nowMs: number },
): Promise<boolean> {
  const { id: accountId } = account;
  const { email, createdAt } = link;
  if (email === account.email) {
    return false;
  }
  const restored = { accountId, email, nowMs };
  // Its own token has been consumed.
  if (link.purpose !== 'revert-email' && !(await isEmailRestorable(tx, restored))) {
    return false;
  }
  if (!(await restoreEmail(tx, restored))) {
    return false;
  }
  await deleteEmailTokens(tx, ['verify-email'], accountId);
  await deleteEmailTokensSince(tx, { purpose: 'revert-email', accountId, createdAt });
  await deleteEmailTokensSentElsewhere(tx, { purpose: 'revoke-access', accountId, email });
  return true;
}
