import type { Plan } from '@atrium/contracts/tokens';
import type { Sql } from '@atrium/service-kit/database';

/** @returns false when there is no such account */
export async function setPlan(
  sql: Sql,
  { accountId, plan, nowMs }: { accountId: string; plan: Plan; nowMs: number },
): Promise<boolean> {
  const rows = await sql.query(
    'UPDATE accounts SET plan = $2, updated_at = $3 WHERE id = $1 RETURNING 1',
    [accountId, plan, new Date(nowMs)],
  );
  return rows.length === 1;
}
