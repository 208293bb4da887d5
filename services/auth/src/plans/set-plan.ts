import { INBOX, type OutboxQueue } from '@atrium/contracts/queues';
import type { Plan } from '@atrium/contracts/tokens';
import { appendMessage } from '@atrium/events/outbox';
import { sqlOf } from '@atrium/service-kit/database';
import type { Tx } from '../transaction-store.ts';

const TOLD = [INBOX.notes, INBOX.links];
const LOCKED_AT = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "atMs"';

/**
 * Changes the plan of an account and tells the services where others than the owner, whose token they do not
 * have, work under it: collaborators in notes, visitors in links. Call `wakePlanRelays` after the commit.
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
  // Read once the account is locked: services keep the plan of the latest message.
  const [locked] = await sql.query<{ atMs: number }>(LOCKED_AT);
  for (const queue of TOLD) {
    await appendMessage(sql, {
      queue,
      kind: 'plan.changed',
      accountId: id,
      data: { plan },
      requestId,
      nowMs: locked?.atMs,
    });
  }
  return true;
}

export function wakePlanRelays(wakeRelay: (queue: OutboxQueue) => void): void {
  for (const queue of TOLD) wakeRelay(queue);
}
