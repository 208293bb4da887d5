import type { OwnerProof } from '@atrium/contracts/mfa';
import type { Database } from '@atrium/service-kit/database';
import { conflict, unauthorized } from '@atrium/service-kit/http-error';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { RecordAudit } from '../../audit/record.ts';
import { deleteEmailTokens, createEmailToken } from '../../email/tokens/store.ts';
import type { EnqueueEmail } from '../../email/outbox/outbox.ts';
import type { EmailTemplates } from '../../email/templates/templates.ts';
import { asOwner, type OwnerClaim, type OwnerDeps } from '../../second-factor/owner.ts';
import { lockBySession } from '../../passwords/store.ts';
import { revokeSessions } from '../../sessions/store.ts';
import { cancelDeletion, scheduleDeletion } from './store.ts';

const DAY_MS = 86_400_000;

export interface DeletionDeps extends OwnerDeps {
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  /** Days between the wish and the erasure; 0 erases at once. */
  graceDays: number;
}

/**
 * Schedules the account's erasure and ends all its sessions, for whoever proves to be the owner. A
 * mail says until when it can be cancelled. Asking again does not put it off.
 *
 * @throws HttpError 401 when the proof does not hold, 429 after too many that did not
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
    const mail = deps.templates.accountDeletion(email, name, notice);
    await deps.enqueueEmail(tx, 'account-deletion', mail);
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
 * Keeps an account that was about to be erased.
 *
 * @throws HttpError 401 when the session has ended, 409 when no deletion is scheduled
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
