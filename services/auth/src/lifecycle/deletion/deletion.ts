import type { OwnerProof } from '@atrium/contracts/mfa';
import type { Database } from '@atrium/service-kit/database';
import { conflict, unauthorized } from '@atrium/service-kit/http-error';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { RecordAudit } from '../../audit/record.ts';
import { deleteEmailTokens, createEmailToken } from '../../email/tokens/store.ts';
import type { EnqueueEmail } from '../../email/outbox/store.ts';
import type { EmailTemplates } from '../../email/templates/templates.ts';
import {
  asOwner,
  type OwnerClaim,
  type OwnerDeps,
} from '../../second-factor/challenges/re-authentication.ts';
import { lockBySession } from '../../accounts/store.ts';
import { revokeSessions } from '../../sessions/store.ts';
import { cancelDeletion, scheduleDeletion } from './store.ts';

const DAY_MS = 86_400_000;

export interface DeletionDeps extends OwnerDeps {
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  /** Days between the request and the erasure; 0 erases at once. */
  graceDays: number;
}

/**
 * Schedules the erasure of the account and ends all its sessions, after re-authentication. An email
 * says until when it can be cancelled. Another request does not postpone it.
 *
 * @throws HttpError 401 when re-authentication fails, 429 after too many failures
 */
export function requestDeletion(
  deps: DeletionDeps,
  claim: OwnerClaim,
  proof: OwnerProof,
): Promise<Date> {
  return asOwner(deps, claim, proof, async (tx, { id: accountId, email, name }, nowMs) => {
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
    const content = deps.templates.accountDeletion(email, name, notice);
    await deps.enqueueEmail(tx, 'account-deletion', content);
    await deps.recordAudit(tx, {
      kind: 'account.deletion_requested',
      ...claim,
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
  deps: { database: Database; recordAudit: RecordAudit; clockMs: () => number },
  claim: { accountId: string; sessionId: string; origin: RequestOrigin },
): Promise<void> {
  const nowMs = deps.clockMs();
  await deps.database.transaction(async (tx) => {
    if ((await lockBySession(tx, claim)) === undefined) {
      throw unauthorized('Invalid token');
    }
    if (!(await cancelDeletion(tx, claim.accountId, new Date(nowMs)))) {
      throw conflict('The account is not about to be deleted');
    }
    await deps.recordAudit(tx, { kind: 'account.deletion_cancelled', ...claim, nowMs });
  });
}
