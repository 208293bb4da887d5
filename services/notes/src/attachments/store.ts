import { newId } from '@atrium/contracts/ids';
import type { Database } from '@atrium/service-kit/database';
import type { PrismaClient } from '../generated/client.ts';
import { permitted, permittedSql, type Permission } from '../members/permissions.ts';

export interface AttachmentRecord {
  id: string;
  workspaceId: string;
  name: string;
  type: string;
  sizeBytes: number;
  createdAt: Date;
}

export interface NewAttachment {
  workspaceId: string;
  /** Who uploads it. */
  accountId: string;
  name: string;
  type: string;
  sizeBytes: number;
}

export type Reservation = { kind: 'reserved'; id: string } | { kind: 'full' } | { kind: 'missing' };

export interface AttachmentStore {
  /**
   * Counts a file before it is stored. Full when it would be more than `limitBytes` for the owner of the
   * workspace; missing when there is no workspace any more that the account may write to.
   */
  reserve(attachment: NewAttachment, limitBytes: number): Promise<Reservation>;
  /** Null when its workspace was deleted meanwhile. */
  markStored(id: string): Promise<AttachmentRecord | null>;
  /** Leaves it to be erased; it counts no more. */
  detach(id: string): Promise<void>;
  /** The same for an account that may do so; false when there is no such attachment any more. */
  detachOwned(id: string, accountId: string): Promise<boolean>;
  /** Newest first, only those older than `beforeId` when it is given. */
  list(workspaceId: string, limit: number, beforeId?: string): Promise<AttachmentRecord[]>;
  find(id: string, accountId: string, permission: Permission): Promise<AttachmentRecord | null>;
  /** Of the attachments in all workspaces that the account owns. */
  usedBytes(ownerId: string): Promise<number>;
}

/** Raw: locks the owner, so that parallel uploads are counted one after another. */
const LOCK_OWNER = `
  SELECT owners.account_id AS "ownerId" FROM owners
  JOIN workspaces ON workspaces.owner_id = owners.account_id
  WHERE workspaces.id = $1 AND ${permittedSql('$2', 'writeNotes')} FOR UPDATE OF owners`;

/** Raw: Prisma cannot sum over a join. Computed, since a stored sum could drift. */
const SUM = `
  SELECT coalesce(sum(attachments.size_bytes), 0)::float8 AS "usedBytes"
  FROM attachments JOIN workspaces ON workspaces.id = attachments.workspace_id
  WHERE workspaces.owner_id = $1`;

/** Raw: in the transaction of LOCK_OWNER. */
const INSERT = `
  INSERT INTO attachments (id, workspace_id, name, type, size_bytes) VALUES ($1, $2, $3, $4, $5)`;

export const ATTACHMENT_FIELDS = {
  id: true,
  workspaceId: true,
  name: true,
  type: true,
  sizeBytes: true,
  createdAt: true,
} as const;

type Row = Omit<AttachmentRecord, 'workspaceId'> & { workspaceId: string | null };

function attached({ workspaceId, ...rest }: Row): AttachmentRecord[] {
  return workspaceId === null ? [] : [{ ...rest, workspaceId }];
}

export function createAttachmentStore(database: Database, prisma: PrismaClient): AttachmentStore {
  return {
    reserve({ workspaceId, accountId, name, type, sizeBytes }, limitBytes) {
      return database.transaction(async (tx) => {
        const [owner] = await tx.query<{ ownerId: string }>(LOCK_OWNER, [workspaceId, accountId]);
        if (owner === undefined) return { kind: 'missing' };
        const [sum] = await tx.query<{ usedBytes: number }>(SUM, [owner.ownerId]);
        if ((sum?.usedBytes ?? 0) + sizeBytes > limitBytes) return { kind: 'full' };
        const id = newId('fil');
        await tx.query(INSERT, [id, workspaceId, name, type, sizeBytes]);
        return { kind: 'reserved', id };
      });
    },
    async markStored(id) {
      const [row] = await prisma.attachment.updateManyAndReturn({
        where: { id, workspaceId: { not: null } },
        data: { storedAt: new Date() },
        select: ATTACHMENT_FIELDS,
      });
      return (row && attached(row)[0]) ?? null;
    },
    async detach(id) {
      await prisma.attachment.updateMany({ where: { id }, data: { workspaceId: null } });
    },
    async detachOwned(id, accountId) {
      const { count } = await prisma.attachment.updateMany({
        where: { id, workspace: permitted(accountId, 'writeNotes') },
        data: { workspaceId: null },
      });
      return count > 0;
    },
    async list(workspaceId, limit, beforeId) {
      const rows = await prisma.attachment.findMany({
        where: { workspaceId, storedAt: { not: null }, ...(beforeId && { id: { lt: beforeId } }) },
        orderBy: { id: 'desc' },
        take: limit,
        select: ATTACHMENT_FIELDS,
      });
      return rows.flatMap(attached);
    },
    async find(id, accountId, permission) {
      const row = await prisma.attachment.findFirst({
        where: { id, storedAt: { not: null }, workspace: permitted(accountId, permission) },
        select: ATTACHMENT_FIELDS,
      });
      return (row && attached(row)[0]) ?? null;
    },
    async usedBytes(ownerId) {
      const [sum] = await database.query<{ usedBytes: number }>(SUM, [ownerId]);
      return sum?.usedBytes ?? 0;
    },
  };
}
