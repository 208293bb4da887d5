import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Origin } from '@atrium/service-kit/database';
import { recordActivity } from '../activity/record.ts';
import type { Database } from '../database.ts';
import { assertStorageFits } from '../storage-use/store.ts';

export type TransferOutcome = 'transferred' | 'missing' | 'full';

interface Transfer {
  workspaceId: string;
  from: string;
  to: string;
  origin: Origin;
}

interface OwnerRow {
  id: string;
  workspaceCount: number;
  plan: Plan;
}

// Raw: locks the accounts before the workspace, as creating and deleting a workspace do.
const LOCK_OWNERS = `
  SELECT o.account_id AS id, o.workspace_count AS "workspaceCount", o.plan
  FROM owners o JOIN members m ON m.account_id = o.account_id AND m.workspace_id = $1
  WHERE o.account_id IN ($2, $3) ORDER BY o.account_id FOR UPDATE`;
const CHANGE_OWNER =
  'UPDATE workspaces SET owner_id = $3 WHERE id = $1 AND owner_id = $2 RETURNING id';
const CHANGE_ROLE = 'UPDATE members SET role = $3 WHERE workspace_id = $1 AND account_id = $2';
const CHANGE_COUNT =
  'UPDATE owners SET workspace_count = workspace_count + $2 WHERE account_id = $1';

/**
 * Makes another member the owner of a workspace; the owner before becomes an editor.
 *
 * @param isLimited whether the plan of the new owner must allow one more workspace and what it holds
 * @throws HttpError 403 when it is limited and the new owner has no space left for it
 */
export function transferWorkspace(
  database: Database,
  { workspaceId, from, to, origin }: Transfer,
  isLimited: boolean,
): Promise<TransferOutcome> {
  return database.transaction(origin, async (tx) => {
    const owners = await tx.query<OwnerRow>(LOCK_OWNERS, [workspaceId, from, to]);
    const newOwner = owners.find(({ id }) => id === to);
    if (newOwner === undefined) return 'missing';
    if (isLimited && newOwner.workspaceCount >= PLAN_LIMITS[newOwner.plan].workspaces)
      return 'full';
    const [workspace] = await tx.query(CHANGE_OWNER, [workspaceId, from, to]);
    if (workspace === undefined) return 'missing';
    if (isLimited) await assertStorageFits(tx, workspaceId);
    // In this order: a workspace has at most one owner.
    await tx.query(CHANGE_ROLE, [workspaceId, from, 'editor']);
    await tx.query(CHANGE_ROLE, [workspaceId, to, 'owner']);
    await tx.query(CHANGE_COUNT, [from, -1]);
    await tx.query(CHANGE_COUNT, [to, 1]);
    const transfer = { workspaceId, accountId: from, memberId: to };
    await recordActivity(tx, { ...transfer, kind: 'workspace.transferred' });
    return 'transferred';
  });
}
