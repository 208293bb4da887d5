import type { Role } from '@atrium/contracts/notes/members';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Sql } from '@atrium/service-kit/database';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { isPermitted, type Permission } from './permissions.ts';

/** A workspace as the account that makes a request may use it. */
export interface Access {
  workspaceId: string;
  role: Role;
  /** Limits of the owner's plan: they apply to everybody in the workspace. */
  limits: (typeof PLAN_LIMITS)[Plan];
  /** Names that plan to the account: "Your plan" or "The plan of the owner". */
  planName: string;
}

/**
 * Asked before a change. The query that changes something checks the membership again, so that a member who is
 * removed in between changes nothing.
 *
 * @throws HttpError 404 for an account that is no member; 403 for a member whose role does not suffice
 */
export interface AccessChecks {
  toWorkspace(id: string, accountId: string, permission: Permission): Promise<Access>;
  toNote(id: string, accountId: string, permission: Permission): Promise<Access>;
  toTrashedNote(id: string, accountId: string, permission: Permission): Promise<Access>;
}

interface AccessRow {
  workspaceId: string;
  role: Role;
  plan: Plan;
}

/** Raw, as it is part of every write of a note, which is measured. */
const FIND = `
  SELECT w.id AS "workspaceId", m.role, o.plan
  FROM workspaces w
    JOIN members m ON m.workspace_id = w.id AND m.account_id = $2
    JOIN owners o ON o.account_id = w.owner_id`;
const BY_WORKSPACE = `${FIND} WHERE w.id = $1`;
const BY_NOTE = `${FIND} JOIN notes n ON n.workspace_id = w.id
  WHERE n.id = $1 AND (n.deleted_at IS NOT NULL) = $3`;

export function createAccessChecks(sql: Sql): AccessChecks {
  async function check(
    what: string,
    rows: Promise<AccessRow[]>,
    permission: Permission,
  ): Promise<Access> {
    const [row] = await rows;
    if (row === undefined) throw notFound(what);
    const { workspaceId, role, plan } = row;
    if (!isPermitted(role, permission)) {
      throw new HttpError('forbidden', `Your role in this workspace (${role}) does not allow this`);
    }
    const planName = role === 'owner' ? 'Your plan' : 'The plan of the owner';
    return { workspaceId, role, limits: PLAN_LIMITS[plan], planName };
  }
  const find = (text: string, ...values: unknown[]) => sql.query<AccessRow>(text, values);
  return {
    toWorkspace: (id, accountId, permission) =>
      check('Workspace', find(BY_WORKSPACE, id, accountId), permission),
    toNote: (id, accountId, permission) =>
      check('Note', find(BY_NOTE, id, accountId, false), permission),
    toTrashedNote: (id, accountId, permission) =>
      check('Note', find(BY_NOTE, id, accountId, true), permission),
  };
}
