import { HttpError } from '@atrium/service-kit/http-error';
import type { Database, Tx } from '../database.ts';
import { setPasswordHash } from '../accounts/password-store.ts';
import type { Requester } from '../accounts/requester.ts';
import { lockBySession } from '../accounts/store.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Emails } from '../email/outbox/store.ts';
import type { Recipient } from '../email/templates/content.ts';
import { createEmailToken, deleteEmailTokens } from '../email/tokens/store.ts';
import { type ConfirmPassword, wrongPassword } from './confirm-password.ts';
import type { Passwords } from './password-rules.ts';

/** Ends what the old password gave access to: sessions, and logins that wait for a second step. */
export type RevokeAccess = (
  tx: Tx,
  access: { accountId: string; exceptSessionId?: string | undefined; nowMs: number },
) => Promise<unknown>;

export interface ChangePasswordDeps {
  database: Database;
  emails: Emails;
  confirmPassword: ConfirmPassword;
  passwords: Passwords;
  revokeAccess: RevokeAccess;
  audit: AuditLog;
  clockMs: () => number;
}

/**
 * Changes the password and revokes the other sessions.
 *
 * @throws HttpError 401 for a wrong current password or a revoked session, 422 for an invalid new one
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  requester: Requester,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const account = await deps.confirmPassword(requester, currentPassword);
  const { id: accountId, username, email } = account;
  deps.passwords.check({ password: newPassword, field: 'New password', username, email });
  const passwordHash = await deps.passwords.hash(newPassword);
  const nowMs = deps.clockMs();
  await deps.database.transaction(requester.origin, async (tx) => {
    // While hashing, the session may have been revoked or the password changed.
    const current = await lockBySession(tx, requester);
    if (current === undefined) {
      throw new HttpError('token-invalid');
    }
    if (current.passwordHash !== account.passwordHash) {
      throw wrongPassword();
    }
    await setPasswordHash(tx, { accountId, passwordHash, nowMs });
    await deps.revokeAccess(tx, { accountId, exceptSessionId: requester.sessionId, nowMs });
    await deleteEmailTokens(tx, ['reset-password', 'confirm-email'], accountId);
    await enqueuePasswordNotice(deps.emails, tx, { ...account, nowMs });
    await deps.audit.record(tx, { kind: 'password.changed', ...requester });
  });
}

/** Tells the owner that the password was changed, with a link that revokes all access. */
export async function enqueuePasswordNotice(
  emails: Emails,
  tx: Tx,
  owner: Recipient & { id: string; nowMs: number },
): Promise<void> {
  const { id: accountId, email, nowMs } = owner;
  const token = await createEmailToken(tx, { purpose: 'revoke-access', accountId, email, nowMs });
  await emails.enqueue(tx, 'password-changed', emails.templates.passwordChanged(owner, token));
}
