import type { Sql } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import { setPasswordHash } from '../accounts/password-store.ts';
import type { Requester } from '../accounts/requester.ts';
import { lockBySession } from '../accounts/store.ts';
import type { RecordAudit } from '../audit/record.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import type { Recipient } from '../email/templates/content.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import { createEmailToken, deleteEmailTokens } from '../email/tokens/store.ts';
import { type PrismaClient, type Tx, transaction } from '../transaction-store.ts';
import { type ConfirmPassword, wrongPassword } from './confirm-password.ts';
import type { CheckNewPassword } from './password-rules.ts';

/** Ends what the old password gave access to: sessions, and logins that wait for a second step. */
export type RevokeAccess = (
  tx: Tx,
  access: { accountId: string; exceptSessionId?: string | undefined; nowMs: number },
) => Promise<unknown>;

export interface PasswordNoticeDeps {
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
}

export interface ChangePasswordDeps extends PasswordNoticeDeps {
  prisma: PrismaClient;
  confirmPassword: ConfirmPassword;
  hasher: PasswordHasher;
  checkNewPassword: CheckNewPassword;
  revokeAccess: RevokeAccess;
  recordAudit: RecordAudit;
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
  deps.checkNewPassword({ password: newPassword, field: 'New password', username, email });
  const passwordHash = await deps.hasher.hash(newPassword);
  const nowMs = deps.clockMs();
  await transaction(deps.prisma, async (tx, sql) => {
    // While hashing, the session may have been revoked or the password changed.
    const current = await lockBySession(sql, requester);
    if (current === undefined) {
      throw unauthorized('Invalid token');
    }
    if (current.passwordHash !== account.passwordHash) {
      throw wrongPassword();
    }
    await setPasswordHash(tx, { accountId, passwordHash, nowMs });
    await deps.revokeAccess(tx, { accountId, exceptSessionId: requester.sessionId, nowMs });
    await deleteEmailTokens(sql, ['reset-password', 'confirm-email'], accountId);
    await enqueuePasswordNotice(deps, sql, { ...account, nowMs });
    await deps.recordAudit(sql, { kind: 'password.changed', ...requester, nowMs });
  });
}

/** Tells the owner that the password was changed, with a link that revokes all access. */
export async function enqueuePasswordNotice(
  { templates, enqueueEmail }: PasswordNoticeDeps,
  tx: Sql,
  owner: Recipient & { id: string; nowMs: number },
): Promise<void> {
  const { id: accountId, email, nowMs } = owner;
  const token = await createEmailToken(tx, { purpose: 'revoke-access', accountId, email, nowMs });
  await enqueueEmail(tx, 'password-changed', templates.passwordChanged(owner, token));
}
