import type { Sql } from '@atrium/service-kit/database';
import { validationError } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import { restoreEmail } from '../accounts/email-store.ts';
import { setPasswordHash } from '../accounts/password-store.ts';
import { type Account, lockAccount } from '../accounts/store.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import {
  consumeEmailToken,
  createEmailToken,
  deleteEmailTokens,
  deleteEmailTokensSince,
  deleteResetTokensSentElsewhere,
  type EmailToken,
  findEmailTokenAccount,
} from '../email/tokens/store.ts';
import { type PrismaClient, transaction } from '../transaction-store.ts';
import { cancelDeletion } from '../lifecycle/deletion/store.ts';
import { revokeAccess } from '../second-factor/challenges/revoke-access.ts';
import { removeAccessSince } from './remove-access.ts';

export interface SuspiciousAccessDeps {
  database: Sql;
  prisma: PrismaClient;
  hasher: Pick<PasswordHasher, 'unusableHash'>;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/**
 * "This was not me": revokes all sessions, makes the password unusable, voids pending changes of the
 * address, removes the factors and devices added since the event that the notice was about, restores a
 * changed address if it was about that, and mails a link to a new password.
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
    throw invalidToken();
  }
  await transaction(deps.prisma, async (tx, sql) => {
    const account = await lockAccount(sql, accountId);
    const link = await consumeEmailToken(sql, wanted);
    if (account === undefined || link === undefined) {
      throw invalidToken();
    }
    const revoked = await revokeAccess(tx, { accountId, nowMs });
    // The intruder may know the password, so it must not work until the owner has set another one.
    await setPasswordHash(tx, { accountId, passwordHash: deps.hasher.unusableHash, nowMs });
    await deleteEmailTokens(sql, ['confirm-email'], accountId);
    await deleteResetTokensSentElsewhere(sql, { accountId, email: link.email });
    const entry = { accountId, origin, nowMs };
    await removeAccessSince(deps, tx, { ...entry, since: link.createdAt });
    const isReverted = await revertEmail(sql, { account, link, nowMs });
    if (isReverted) {
      await deps.recordAudit(sql, { kind: 'email.change_reverted', ...entry });
    }
    // The intruder may have asked for the deletion.
    if (await cancelDeletion(tx, accountId, new Date(nowMs))) {
      await deps.recordAudit(sql, { kind: 'account.deletion_cancelled', ...entry });
    }
    const data = { endedSessions: revoked.length };
    await deps.recordAudit(sql, { kind: 'owner.disavowed', ...entry, data });
    // Otherwise the present address may be the intruder's.
    const { email } = link;
    if (isReverted || email === account.email) {
      const reset = { purpose: 'reset-password', accountId, email, nowMs } as const;
      const resetToken = await createEmailToken(sql, reset);
      const message = deps.templates.resetPassword({ ...account, email }, resetToken);
      await deps.enqueueEmail(sql, 'reset-password', message);
    }
  });
}

/** Restoring an address voids the links of later changes; those of earlier changes stay valid. */
async function revertEmail(
  tx: Sql,
  { account, link, nowMs }: { account: Account; link: EmailToken; nowMs: number },
): Promise<boolean> {
  const { id: accountId } = account;
  const { email, createdAt } = link;
  if (link.purpose !== 'revert-email' || email === account.email) {
    return false;
  }
  if (!(await restoreEmail(tx, { accountId, email, nowMs }))) {
    return false;
  }
  await deleteEmailTokens(tx, ['verify-email'], accountId);
  await deleteEmailTokensSince(tx, { purpose: 'revert-email', accountId, createdAt });
  return true;
}

function invalidToken() {
  return validationError('Token is invalid or has expired');
}
