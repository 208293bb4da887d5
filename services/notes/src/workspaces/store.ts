import { newId } from '@atrium/contracts/ids';
import type { Database, Sql } from '@atrium/service-kit/database';
import type { PrismaClient } from '../generated/client.ts';

export interface WorkspaceRecord {
  id: string;
  name: string;
  description: string;
  noteCount: number;
  createdAt: Date;
}

export interface WorkspaceStore {
  /** Null when the account already has `limit` workspaces. */
  create(
    tx: Sql,
    ownerId: string,
    input: { name: string; description: string },
    limit: number,
  ): Promise<WorkspaceRecord | null>;
  /** Newest first, only those older than `beforeId` when it is given. */
  listOwned(ownerId: string, limit: number, beforeId?: string): Promise<WorkspaceRecord[]>;
  findOwned(id: string, ownerId: string): Promise<WorkspaceRecord | null>;
  updateOwned(
    id: string,
    ownerId: string,
    change: { name?: string; description?: string },
  ): Promise<WorkspaceRecord | null>;
  deleteOwned(id: string, ownerId: string): Promise<'deleted' | 'missing'>;
}

const FIELDS = {
  id: true,
  name: true,
  description: true,
  noteCount: true,
  createdAt: true,
} as const;

/** Raw: the first part locks the owner, so that parallel requests are counted one after another. */
const CREATE = `
  WITH slot AS (
    INSERT INTO owners (account_id, workspace_count) VALUES ($2, 1)
    ON CONFLICT (account_id) DO UPDATE SET workspace_count = owners.workspace_count + 1
      WHERE $5::integer IS NULL OR owners.workspace_count < $5::integer
    RETURNING account_id
  )
  INSERT INTO workspaces (id, owner_id, name, description)
  SELECT $1, account_id, $3, $4 FROM slot
  RETURNING id, name, description, note_count AS "noteCount", created_at AS "createdAt"`;

/** Raw: locks the owner before the workspace, as CREATE does. */
const DELETE = `
  WITH owner AS (SELECT account_id FROM owners WHERE account_id = $2 FOR UPDATE),
  gone AS (
    DELETE FROM workspaces USING owner
    WHERE workspaces.id = $1 AND workspaces.owner_id = owner.account_id
    RETURNING workspaces.owner_id
  )
  UPDATE owners SET workspace_count = workspace_count - 1 FROM gone
  WHERE owners.account_id = gone.owner_id RETURNING owners.account_id`;

export function createWorkspaceStore(database: Database, prisma: PrismaClient): WorkspaceStore {
  return {
    async create(tx, ownerId, input, limit) {
      const cap = Number.isFinite(limit) ? limit : null;
      const values = [newId('ws'), ownerId, input.name, input.description, cap];
      const [row] = await tx.query<WorkspaceRecord>(CREATE, values);
      return row ?? null;
    },
    listOwned(ownerId, limit, beforeId) {
      return prisma.workspace.findMany({
        where: { ownerId, ...(beforeId === undefined ? {} : { id: { lt: beforeId } }) },
        orderBy: { id: 'desc' },
        take: limit,
        select: FIELDS,
      });
    },
    findOwned(id, ownerId) {
      return prisma.workspace.findFirst({ where: { id, ownerId }, select: FIELDS });
    },
    async updateOwned(id, ownerId, change) {
      const [row] = await prisma.workspace.updateManyAndReturn({
        where: { id, ownerId },
        data: { ...change, updatedAt: new Date() },
        select: FIELDS,
      });
      return row ?? null;
    },
    async deleteOwned(id, ownerId) {
      const rows = await database.query(DELETE, [id, ownerId]);
      return rows.length === 1 ? 'deleted' : 'missing';
    },
  };
}
