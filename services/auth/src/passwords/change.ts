import type { Database } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import { deleteEmailTokens, createEmailToken } from '../email/tokens/store.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import type { PasswordHasher } from './hasher.ts';
import type { CheckNewPassword } from './password-rules.ts';
import { findBySession, lockBySession, replacePassword } from '../accounts/store.ts';

export interface ChangeDeps {
  database: Database;
  hasher: PasswordHasher;
  checkNewPassword: CheckNewPassword;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/**
 * Changes the password of whoever knows the current one, and ends the other sessions.
 *
 * @throws HttpError 401 for a wrong current password or a revoked session, 422 for a bad new one
 */
export async function changePassword(
  deps: ChangeDeps,
  change: { accountId: string; sessionId: string; currentPassword: string; newPassword: string },
  origin: RequestOrigin,
): Promise<void> {
  const account = await findBySession(deps.database, change);
  if (account === undefined) {
    throw unauthorized('Invalid token');
  }
  const { sessionId } = change;
  if (!(await deps.hasher.verify(account.passwordHash, change.currentPassword))) {
    await deps.recordAudit(deps.database, {
      kind: 'password.refused',
      accountId: account.id,
      sessionId,
      origin,
      nowMs: deps.clockMs(),
    });
    throw wrongPassword();
  }
  const { id: accountId, username, email, name } = account;
  const password = change.newPassword;
  deps.checkNewPassword({ password, field: 'New password', username, email });
  const passwordHash = await deps.hasher.hash(password);
  const nowMs = deps.clockMs();
  await deps.database.transaction(async (tx) => {
    // Hashing takes its time: the session may have ended meanwhile, or the password changed.
    const current = await lockBySession(tx, change);
    if (current === undefined) {
      throw unauthorized('Invalid token');
    }
    if (current.passwordHash !== account.passwordHash) {
      throw wrongPassword();
    }
    await replacePassword(tx, { accountId, passwordHash, keepSessionId: sessionId, nowMs });
    await deleteEmailTokens(tx, ['reset-password', 'confirm-email'], accountId);
    const revokeAccessToken = await createEmailToken(tx, {
      purpose: 'revoke-access',
      accountId,
      email,
      nowMs,
    });
    const notice = deps.templates.passwordChanged(email, name, revokeAccessToken);
    await deps.enqueueEmail(tx, 'password-changed', notice);
    const kind = 'password.changed';
    await deps.recordAudit(tx, { kind, accountId, sessionId, origin, nowMs });
  });
}

function wrongPassword() {
  return unauthorized('Current password is wrong');
}
