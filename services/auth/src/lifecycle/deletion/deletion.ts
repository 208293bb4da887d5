import type { OwnerProof } from '@atrium/contracts/mfa';
import { sqlOf } from '@atrium/service-kit/database';
import { conflict, unauthorized } from '@atrium/service-kit/http-error';
import type { RecordAudit } from '../../audit/record.ts';
import { deleteEmailTokens, createEmailToken } from '../../email/tokens/store.ts';
import type { EnqueueEmail } from '../../email/outbox/store.ts';
import type { EmailTemplates } from '../../email/templates/templates.ts';
import type { Requester } from '../../accounts/requester.ts';
import { lockBySession } from '../../accounts/store.ts';
import { type PrismaClient, transaction } from '../../transaction-store.ts';
import type { Reauthenticate } from '../../second-factor/changes.ts';
import { revokeSessions } from '../../sessions/store.ts';
import { cancelDeletion, scheduleDeletion } from './store.ts';

const DAY_MS = 86_400_000;

export interface DeletionDeps {
  prisma: PrismaClient;
  reauthenticate: Reauthenticate;
  recordAudit: RecordAudit;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  /** Days between the request and the erasure; 0 erases at once. */
  graceDays: number;
  clockMs: () => number;
}

/**
 * Schedules the erasure of the account and ends all its sessions, after re-authentication. An email
 * says until when it can be cancelled. Another request does not postpone it.
 *
 * @throws HttpError 401 when re-authentication fails, 429 after too many failures
 */
export function requestDeletion(
  deps: DeletionDeps,
  requester: Requester,
  proof: OwnerProof,
): Promise<Date> {
  return deps.reauthenticate(requester, proof, async (tx, owner, nowMs) => {
    const { id: accountId, email } = owner;
    const sql = sqlOf(tx);
    const dueAt = new Date(nowMs + deps.graceDays * DAY_MS);
    const erasesAt = await scheduleDeletion(sql, accountId, dueAt);
    await revokeSessions(sql, { accountId }, nowMs);
    await deleteEmailTokens(sql, ['reset-password', 'confirm-email'], accountId);
    const revokeAccessToken = await createEmailToken(sql, {
      purpose: 'revoke-access',
      accountId,
      email,
      nowMs,
    });
    const notice = { erasesAt: erasesAt.toISOString(), revokeAccessToken };
    const content = deps.templates.accountDeletion(owner, notice);
    await deps.enqueueEmail(sql, 'account-deletion', content);
    await deps.recordAudit(sql, {
      kind: 'account.deletion_requested',
      ...requester,
      data: { erasesAt: notice.erasesAt },
      nowMs,
    });
    return erasesAt;
  });
}

/**
 * Cancels the scheduled deletion of an account.
 *
 * @throws HttpError 401 when the session is revoked, 409 when no deletion is scheduled
 */
export async function restoreAccount(
  deps: { prisma: PrismaClient; recordAudit: RecordAudit; clockMs: () => number },
  requester: Requester,
): Promise<void> {
  const nowMs = deps.clockMs();
  await transaction(deps.prisma, async (tx, sql) => {
    if ((await lockBySession(sql, requester)) === undefined) {
      throw unauthorized('Invalid token');
    }
    if (!(await cancelDeletion(tx, requester.accountId, new Date(nowMs)))) {
      throw conflict('The account is not about to be deleted');
    }
    await deps.recordAudit(sql, { kind: 'account.deletion_cancelled', ...requester, nowMs });
  });
}
