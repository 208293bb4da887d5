import { newId } from '@atrium/contracts/ids';
import type { Role } from '@atrium/contracts/members';
import type { Plan } from '@atrium/contracts/tokens';
import type { Database, Sql } from '@atrium/service-kit/database';
import { recordActivity } from '../activity/record.ts';
import type { PrismaClient } from '../generated/client.ts';
import { permittedSql } from '../members/permissions.ts';

export interface WorkspaceRecord {
  id: string;
  name: string;
  description: string;
  noteCount: number;
  /** Of the account that asks. */
  role: Role;
  createdAt: Date;
}

export interface WorkspaceStore {
  /** Null when the account already has `limit` workspaces. */
  create(
    tx: Sql,
    owner: { id: string; plan: Plan },
    input: { name: string; description: string },
    limit: number,
  ): Promise<WorkspaceRecord | null>;
  /** Newest first, only those older than `beforeId` when it is given. */
  list(accountId: string, limit: number, beforeId?: string): Promise<WorkspaceRecord[]>;
  find(id: string, accountId: string): Promise<WorkspaceRecord | null>;
  update(
    id: string,
    accountId: string,
    change: { name?: string; description?: string },
  ): Promise<'updated' | 'missing'>;
  delete(id: string, ownerId: string): Promise<'deleted' | 'missing'>;
}

const MEMBERSHIP = {
  role: true,
  workspace: {
    select: { id: true, name: true, description: true, noteCount: true, createdAt: true },
  },
} as const;

function toRecord(member: {
  role: string;
  workspace: Omit<WorkspaceRecord, 'role'>;
}): WorkspaceRecord {
  // The table allows no other role.
  return { ...member.workspace, role: member.role as Role };
}

/** Raw: the first part locks the owner, so that parallel requests are counted one after another. */
const CREATE = `
  WITH slot AS (
    INSERT INTO owners (account_id, workspace_count, plan) VALUES ($2, 1, $6)
    ON CONFLICT (account_id) DO UPDATE SET workspace_count = owners.workspace_count + 1
      WHERE $5::integer IS NULL OR owners.workspace_count < $5::integer
    RETURNING account_id
  ), member AS (
    INSERT INTO members (workspace_id, account_id, role) SELECT $1, account_id, 'owner' FROM slot
  )
  INSERT INTO workspaces (id, owner_id, name, description)
  SELECT $1, account_id, $3, $4 FROM slot
  RETURNING id, name, description, note_count AS "noteCount", created_at AS "createdAt",
    'owner' AS role`;

/** Raw: with the name before. */
const UPDATE = `
  UPDATE workspaces SET name = coalesce($3, name), description = coalesce($4, description),
    updated_at = now()
  WHERE id = $1 AND ${permittedSql('$2', 'manageWorkspace')}
  RETURNING old.name AS "formerTitle", new.name AS title`;

/** Raw: locks the owner before the workspace, as CREATE does. A job erases what is in the workspace. */
const DELETE = `
  WITH owner AS (SELECT account_id FROM owners WHERE account_id = $2 FOR UPDATE),
  gone AS (
    UPDATE workspaces SET owner_id = NULL FROM owner
    WHERE ($1::text IS NULL OR workspaces.id = $1) AND workspaces.owner_id = owner.account_id
    RETURNING workspaces.id
  ), members_gone AS (
    DELETE FROM members USING gone WHERE members.workspace_id = gone.id
  ), invitations_gone AS (
    DELETE FROM invitations USING gone WHERE invitations.workspace_id = gone.id
  ), counted AS (
    UPDATE owners SET workspace_count = workspace_count - (SELECT count(*) FROM gone)
    FROM owner WHERE owners.account_id = owner.account_id
  )
  SELECT id FROM gone`;

export function createWorkspaceStore(database: Database, prisma: PrismaClient): WorkspaceStore {
  return {
    async create(tx, owner, input, limit) {
      const cap = Number.isFinite(limit) ? limit : null;
      const values = [newId('ws'), owner.id, input.name, input.description, cap, owner.plan];
      const [row] = await tx.query<WorkspaceRecord>(CREATE, values);
      return row ?? null;
    },
    async list(accountId, limit, beforeId) {
      const members = await prisma.member.findMany({
        where: { accountId, ...(beforeId === undefined ? {} : { workspaceId: { lt: beforeId } }) },
        orderBy: { workspaceId: 'desc' },
        take: limit,
        select: MEMBERSHIP,
      });
      return members.map(toRecord);
    },
    async find(workspaceId, accountId) {
      const member = await prisma.member.findUnique({
        where: { accountId_workspaceId: { accountId, workspaceId } },
        select: MEMBERSHIP,
      });
      return member && toRecord(member);
    },
    update(id, accountId, { name, description }) {
      return database.transaction(async (tx) => {
        const values = [id, accountId, name, description];
        const [names] = await tx.query<{ formerTitle: string; title: string }>(UPDATE, values);
        if (names === undefined) return 'missing';
        if (names.title !== names.formerTitle) {
          const activity = { workspaceId: id, accountId, ...names };
          await recordActivity(tx, { ...activity, kind: 'workspace.renamed' });
        }
        return 'updated';
      });
    },
    async delete(id, ownerId) {
      const rows = await database.query(DELETE, [id, ownerId]);
      return rows.length === 1 ? 'deleted' : 'missing';
    },
  };
}

/** @returns the ids of all workspaces of an account, which are deleted now but not erased */
export async function deleteWorkspacesOf(sql: Sql, ownerId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(DELETE, [null, ownerId]);
  return rows.map(({ id }) => id);
}
