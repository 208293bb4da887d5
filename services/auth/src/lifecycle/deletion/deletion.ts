import type { OwnerProof } from '@atrium/contracts/auth/mfa';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Database } from '../../database.ts';
import type { AuditLog } from '../../audit/record.ts';
import { deleteEmailTokens, createEmailToken } from '../../email/tokens/store.ts';
import type { Emails } from '../../email/outbox/store.ts';
import type { Requester } from '../../accounts/requester.ts';
import { lockBySession } from '../../accounts/store.ts';
import type { Reauthenticate } from '../../second-factor/changes.ts';
import { revokeSessions } from '../../sessions/store.ts';
import { cancelDeletion, scheduleDeletion } from './store.ts';

const DAY_MS = 86_400_000;

export interface DeletionDeps {
  database: Database;
  reauthenticate: Reauthenticate;
  audit: AuditLog;
  emails: Emails;
  /** Days between the request and the erasure; 0 erases at once. */
  graceDays: number;
  /** Called after a commit that may have made an account due to be erased. */
  wakeErasure: () => void;
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
    const dueAt = new Date(nowMs + deps.graceDays * DAY_MS);
    const erasesAt = await scheduleDeletion(tx, accountId, dueAt);
    await revokeSessions(tx, { accountId }, nowMs);
    await deleteEmailTokens(tx, ['reset-password', 'confirm-email'], accountId);
    const revokeAccessToken = await createEmailToken(tx, {
      purpose: 'revoke-access',
      accountId,
      email,
      nowMs,
    });
    const notice = { erasesAt: erasesAt.toISOString(), revokeAccessToken };
    const content = deps.emails.templates.accountDeletion(owner, notice);
    await deps.emails.enqueue(tx, 'account-deletion', content);
    await deps.audit.record(tx, {
      kind: 'account.deletion_requested',
      ...requester,
      data: { erasesAt: notice.erasesAt },
    });
    tx.afterCommit(deps.wakeErasure);
    return erasesAt;
  });
}

/**
 * Cancels the scheduled deletion of an account.
 *
 * @throws HttpError 401 when the session is revoked, 409 when no deletion is scheduled
 */
export async function restoreAccount(
  deps: Pick<DeletionDeps, 'database' | 'audit' | 'clockMs'>,
  requester: Requester,
): Promise<void> {
  const nowMs = deps.clockMs();
  await deps.database.transaction(requester.origin, async (tx) => {
    if ((await lockBySession(tx, requester)) === undefined) {
      throw new HttpError('token-invalid');
    }
    if (!(await cancelDeletion(tx, requester.accountId, new Date(nowMs)))) {
      throw new HttpError('nothing-to-change', 'The account is not about to be deleted');
    }
    await deps.audit.record(tx, { kind: 'account.deletion_cancelled', ...requester });
  });
}
