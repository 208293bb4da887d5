import type { Database, Sql } from '@atrium/service-kit/database';
import { validationError } from '@atrium/service-kit/http-error';
import { cancelDeletion } from '../lifecycle/deletion/store.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import { type AddressedAccount, lockAddressed, takeBackEmail } from '../accounts/email-store.ts';
import {
  deleteEmailTokens,
  deleteEmailTokensSince,
  findEmailTokenAccount,
  createEmailToken,
  type EmailToken,
  consumeEmailToken,
} from '../email/tokens/store.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import { deletePendingLogins } from '../second-factor/store.ts';
import { revokeSessions } from '../sessions/store.ts';
import { dropPlanted } from './remove-access.ts';

export interface NotMeDeps {
  database: Database;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/**
 * "This was not me": ends all sessions and whatever else is pending, takes away the factors and
 * devices that came with or after what the mail was about, brings a changed address back where it
 * was about that, and mails a way to a new password.
 *
 * @throws HttpError 422 when the link does not hold
 */
export async function disavow(
  deps: NotMeDeps,
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  const nowMs = deps.clockMs();
  const wanted = { purposes: ['revoke-access' as const, 'revert-email' as const], token, nowMs };
  const accountId = await findEmailTokenAccount(deps.database, wanted);
  if (accountId === undefined) {
    throw invalidToken();
  }
  await deps.database.transaction(async (tx) => {
    const account = await lockAddressed(tx, accountId);
    const link = await consumeEmailToken(tx, wanted);
    if (account === undefined || link === undefined) {
      throw invalidToken();
    }
    const ended = await revokeSessions(tx, { accountId }, nowMs);
    await deletePendingLogins(tx, accountId);
    await deleteEmailTokens(tx, ['confirm-email', 'reset-password'], accountId);
    const entry = { accountId, origin, nowMs };
    await dropPlanted(deps, tx, { ...entry, since: link.createdAt });
    const isReverted = await revert(tx, { account, link, nowMs });
    if (isReverted) {
      await deps.recordAudit(tx, { kind: 'email.change_reverted', ...entry });
    }
    // Whoever asked for it was somebody else.
    if (await cancelDeletion(tx, accountId, new Date(nowMs))) {
      await deps.recordAudit(tx, { kind: 'account.deletion_cancelled', ...entry });
    }
    const data = { endedSessions: ended.length };
    await deps.recordAudit(tx, { kind: 'owner.disavowed', ...entry, data });
    // Whoever has another address now may be the one whom the owner wants to be rid of.
    const { email } = link;
    if (isReverted || email === account.email) {
      const resetToken = await createEmailToken(tx, {
        purpose: 'reset-password',
        accountId,
        email,
        nowMs,
      });
      const mail = deps.templates.resetPassword(email, account.name, resetToken);
      await deps.enqueueEmail(tx, 'reset-password', mail);
    }
  });
}

/** Links from later changes end with the change that they could bring back; earlier ones hold. */
async function revert(
  tx: Sql,
  { account, link, nowMs }: { account: AddressedAccount; link: EmailToken; nowMs: number },
): Promise<boolean> {
  const { id: accountId } = account;
  const { email, createdAt } = link;
  if (link.purpose !== 'revert-email' || email === account.email) {
    return false;
  }
  if (!(await takeBackEmail(tx, { accountId, email, nowMs }))) {
    return false;
  }
  await deleteEmailTokens(tx, ['verify-email'], accountId);
  await deleteEmailTokensSince(tx, { purpose: 'revert-email', accountId, createdAt });
  return true;
}

function invalidToken() {
  return validationError('Token is invalid or has expired');
}
