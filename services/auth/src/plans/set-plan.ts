import { INBOX } from '@atrium/contracts/queues';
import type { Plan } from '@atrium/contracts/tokens';
import { appendMessage } from '@atrium/events/outbox';
import { sqlOf } from '@atrium/service-kit/database';
import type { Tx } from '../transaction-store.ts';

const LOCKED_AT = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "atMs"';

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
  const sql = sqlOf(tx);
  // Read once the account is locked: notes keeps the plan of the latest message.
  const [locked] = await sql.query<{ atMs: number }>(LOCKED_AT);
  await appendMessage(sql, {
    queue: INBOX.notes,
    kind: 'plan.changed',
    accountId: id,
    data: { plan },
    requestId,
    nowMs: locked?.atMs,
  });
  return true;
}
