import { INBOX } from '@atrium/contracts/queues';
import type { Plan } from '@atrium/contracts/tokens';
import { appendMessage } from '@atrium/events/outbox';
import { sqlOf } from '@atrium/service-kit/database';
import type { Tx } from '../transaction-store.ts';

/**
 * Changes the plan of an account and tells notes, where collaborators work under the plan of the owner, whose
 * token they do not have. Call `wakeRelay(INBOX.notes)` after the commit.
 *
 * @returns whether there is such an account
 */
export async function setPlan(
  tx: Tx,
  change: { accountId: string; plan: Plan; requestId: string; nowMs: number },
): Promise<boolean> {
  const { accountId: id, plan, requestId, nowMs } = change;
  const data = { plan, updatedAt: new Date(nowMs) };
  const { count } = await tx.account.updateMany({ where: { id }, data });
  if (count === 0) return false;
  await appendMessage(sqlOf(tx), {
    queue: INBOX.notes,
    kind: 'plan.changed',
    accountId: id,
    data: { plan },
    requestId,
    nowMs,
  });
  return true;
}
