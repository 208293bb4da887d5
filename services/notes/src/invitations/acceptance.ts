import type { CollaboratorRole } from '@atrium/contracts/notes/members';
import type { Plan } from '@atrium/contracts/auth/tokens';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Sql } from '@atrium/service-kit/database';
import { recordActivity } from '../activity/record.ts';
import type { Tx } from '../database.ts';
import { hashToken } from './token.ts';

// Raw SQL, as in the store.

export interface PendingInvitation {
  email: string;
  workspaceName: string;
  ownerId: string;
  role: CollaboratorRole;
  expiresAt: Date;
}

export type AcceptOutcome =
  | { kind: 'accepted'; workspaceId: string }
  | { kind: 'missing' }
  | { kind: 'full' };

const FIND = `
  SELECT i.email, w.name AS "workspaceName", w.owner_id AS "ownerId", i.role, i.expires_at AS "expiresAt"
  FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
  WHERE i.token_hash = $1 AND i.expires_at > now()`;

/** The workspace is locked before its invitations and members, as in every other change. */
const LOCK = `
  SELECT w.id, o.plan FROM workspaces w JOIN owners o ON o.account_id = w.owner_id
  WHERE w.id = (SELECT workspace_id FROM invitations WHERE token_hash = $1) FOR UPDATE OF w`;

/** Not with LOCK: it would count what was there before the wait for the lock. */
const COUNT = `
  SELECT count(*)::integer AS taken FROM members WHERE workspace_id = $1 AND role <> 'owner'`;

const CONSUME = `
  DELETE FROM invitations WHERE token_hash = $1 AND expires_at > now() RETURNING role`;
const ADD_OWNER = 'INSERT INTO owners (account_id, plan) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const ADD_MEMBER = `
  INSERT INTO members (workspace_id, account_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
  RETURNING account_id`;

export async function findInvitation(
  sql: Sql,
  token: string,
): Promise<PendingInvitation | undefined> {
  const [invitation] = await sql.query<PendingInvitation>(FIND, [hashToken(token)]);
  return invitation;
}

/** Consumes the invitation. A member who accepts another one keeps the role that it has. */
export async function acceptInvitation(
  tx: Tx,
  token: string,
  account: { id: string; plan: Plan },
): Promise<AcceptOutcome> {
  const tokenHash = hashToken(token);
  const [workspace] = await tx.query<{ id: string; plan: Plan }>(LOCK, [tokenHash]);
  if (workspace === undefined) return { kind: 'missing' };
  const [count] = await tx.query<{ taken: number }>(COUNT, [workspace.id]);
  // The invitation was counted when it was made, but the plan may allow fewer since.
  if (Number(count?.taken) >= PLAN_LIMITS[workspace.plan].collaborators) return { kind: 'full' };
  const [invitation] = await tx.query<{ role: CollaboratorRole }>(CONSUME, [tokenHash]);
  if (invitation === undefined) return { kind: 'missing' };
  await tx.query(ADD_OWNER, [account.id, account.plan]);
  const workspaceId = workspace.id;
  const { role } = invitation;
  const added = await tx.query(ADD_MEMBER, [workspaceId, account.id, role]);
  if (added.length === 1) {
    const joined = { workspaceId, accountId: account.id, memberId: account.id, role };
    await recordActivity(tx, { ...joined, kind: 'member.joined' });
  }
  return { kind: 'accepted', workspaceId };
}
