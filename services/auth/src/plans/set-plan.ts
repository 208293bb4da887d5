import { INBOX } from '@atrium/contracts/queues';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Tx } from '../database.ts';

const TOLD = [INBOX.notes, INBOX.links, INBOX.webhooks];
const LOCKED_AT = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "atMs"';

/**
 * Changes the plan of an account and tells the services where others than the owner, whose token they do not
 * have, work under it: collaborators in notes, visitors in links, portals of webhooks.
 *
 * @returns whether there is such an account
 */
export async function setPlan(
  tx: Tx,
  change: { accountId: string; plan: Plan; nowMs: number },
): Promise<boolean> {
  const { accountId: id, plan, nowMs } = change;
  const data = { plan, updatedAt: new Date(nowMs) };
  const { count } = await tx.prisma.account.updateMany({ where: { id }, data });
  if (count === 0) return false;
  // Read once the account is locked: services keep the plan of the latest message.
  const [locked] = await tx.query<{ atMs: number }>(LOCKED_AT);
  const message = { kind: 'plan.changed', accountId: id, data: { plan } } as const;
  await tx.appendMessages(TOLD.map((queue) => ({ queue, ...message, nowMs: locked?.atMs })));
  return true;
}
