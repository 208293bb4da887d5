import type { Message } from '@atrium/contracts/account-messages';
import type { Sql } from '../database/database.ts';

/** Raw: messages arrive in any order, and the latest plan stays. */
const SET_PLAN = `
  INSERT INTO owners AS o (account_id, plan, plan_changed_at) VALUES ($1, $2, $3)
  ON CONFLICT (account_id) DO UPDATE
    SET plan = excluded.plan, plan_changed_at = excluded.plan_changed_at
  WHERE o.plan_changed_at IS NULL OR o.plan_changed_at <= excluded.plan_changed_at`;

/** Stores the plan of an account in the table `owners`, which a service has whose limits follow the plan. */
export async function recordPlan(
  sql: Sql,
  { accountId, createdAt, data }: Extract<Message, { kind: 'plan.changed' }>,
): Promise<void> {
  await sql.query(SET_PLAN, [accountId, data.plan, createdAt]);
}
