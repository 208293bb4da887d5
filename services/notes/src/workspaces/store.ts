import { newId } from '@atrium/contracts/ids';
import { limitsOf, PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Role } from '@atrium/contracts/notes/members';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Origin, Sql } from '@atrium/service-kit/database';
import { HttpError } from '@atrium/service-kit/http-error';
import { permittedSql } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import type { Database } from '../database.ts';

export interface WorkspaceRecord {
  id: string;
  name: string;
  description: string;
  noteCount: number;
  /** The role of the account that asks. */
  role: Role;
  createdAt: Date;
}

export interface WorkspaceStore {
  /**
   * @param owner its plan is that of its token, which counts only until notes has stored one
   * @throws HttpError 403 when the account has as many workspaces as its plan allows
   */
  create(
    tx: Sql,
    owner: { id: string; plan: Plan },
    input: { name: string; description: string },
  ): Promise<WorkspaceRecord>;
  /** Newest first, only those older than `beforeId` when it is given. */
  list(accountId: string, limit: number, beforeId?: string): Promise<WorkspaceRecord[]>;
  find(id: string, accountId: string): Promise<WorkspaceRecord | null>;
  update(
    origin: Origin,
    id: string,
    accountId: string,
    change: { name?: string; description?: string },
  ): Promise<'updated' | 'missing'>;
  delete(id: string, ownerId: string): Promise<'deleted' | 'missing'>;
}

/** Raw: Prisma would read members and workspaces one after the other. */
const READ = `
  SELECT w.id, w.name, w.description, w.note_count AS "noteCount", w.created_at AS "createdAt", m.role
  FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.account_id = $1`;
const LIST = `
  ${READ} AND ($3::text IS NULL OR m.workspace_id < $3) ORDER BY m.workspace_id DESC LIMIT $2`;
const FIND = `${READ} AND m.workspace_id = $2`;

/** Raw: the first part locks the owner, so that parallel requests are counted one after another. */
const CREATE = `
  WITH slot AS (
    INSERT INTO owners (account_id, workspace_count, plan) VALUES ($2, 1, $6)
    ON CONFLICT (account_id) DO UPDATE SET workspace_count = owners.workspace_count + 1
      WHERE coalesce(owners.workspace_count < ($5::jsonb ->> owners.plan)::integer, true)
    RETURNING account_id
  ), member AS (
    INSERT INTO members (workspace_id, account_id, role) SELECT $1, account_id, 'owner' FROM slot
  )
  INSERT INTO workspaces (id, owner_id, name, description)
  SELECT $1, account_id, $3, $4 FROM slot
  RETURNING id, name, description, note_count AS "noteCount", created_at AS "createdAt",
    'owner' AS role`;

const PLAN = 'SELECT plan FROM owners WHERE account_id = $1';

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

export function createWorkspaceStore(database: Database): WorkspaceStore {
  return {
    async create(tx, { id, plan }, { name, description }) {
      const values = [newId('ws'), id, name, description, limitsOf('workspaces'), plan];
      const [row] = await tx.query<WorkspaceRecord>(CREATE, values);
      if (row !== undefined) return row;
      const [owner] = await tx.query<{ plan: Plan }>(PLAN, [id]);
      const { workspaces: limit } = PLAN_LIMITS[owner?.plan ?? plan];
      throw new HttpError('plan-limit-workspaces', `Your plan allows ${limit} workspaces`);
    },
    list: (accountId, limit, beforeId) =>
      database.query<WorkspaceRecord>(LIST, [accountId, limit, beforeId]),
    async find(workspaceId, accountId) {
      const [row] = await database.query<WorkspaceRecord>(FIND, [accountId, workspaceId]);
      return row ?? null;
    },
    update(origin, id, accountId, { name, description }) {
      return database.transaction(origin, async (tx) => {
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
