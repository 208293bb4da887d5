import { newId } from '@atrium/contracts/ids';
import type { Origin, Sql } from '@atrium/service-kit/database';
import { permitted, permittedSql, type Permission } from '../access/permissions.ts';
import type { Database } from '../database.ts';
import { UPLOAD_LEASE_SECONDS } from '../files/upload-lease.ts';
import { assertStorageFits } from '../storage-use/store.ts';

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
  /** The account that uploads it. */
  accountId: string;
  name: string;
  type: string;
  sizeBytes: number;
  /** The id of an imported file where it was exported. */
  sourceId?: string | undefined;
  origin: Origin;
}

export type UploadOwner = Pick<NewAttachment, 'workspaceId' | 'accountId'>;

export interface AttachmentStore {
  /**
   * Counts a file before it is stored.
   *
   * @returns its id, or null when there is no workspace any more that the account may write to
   * @throws HttpError 403 when the owner of the workspace has no space left for it
   */
  reserve(attachment: NewAttachment): Promise<string | null>;
  /** Leases a reservation for 15 s more. */
  renew(id: string): Promise<void>;
  /** Whether a file with this name is reserved and being stored. */
  isStoring(workspaceId: string, name: string): Promise<boolean>;
  /** Null when its workspace was deleted meanwhile, or the account may write there no more. */
  markStored(sql: Sql, id: string, owner: UploadOwner): Promise<AttachmentRecord | null>;
  /** Leaves it to be erased; it counts no more. */
  detach(id: string): Promise<void>;
  /** Removes it from the workspaces that the account owns; false when there is none. */
  detachOwned(id: string, accountId: string): Promise<boolean>;
  /** Newest first, only those older than `beforeId` when it is given. */
  list(workspaceId: string, limit: number, beforeId?: string): Promise<AttachmentRecord[]>;
  find(id: string, accountId: string, permission: Permission): Promise<AttachmentRecord | null>;
}

const LEASED_UNTIL = `now() + make_interval(secs => ${UPLOAD_LEASE_SECONDS})`;

/** Raw: by the clock of the database. */
const INSERT = `
  INSERT INTO attachments (id, name, type, size_bytes, source_id, leased_until)
  SELECT $1, $4, $5, $6, $7, ${LEASED_UNTIL} FROM workspaces
  WHERE id = $2 AND ${permittedSql('$3', 'writeNotes')} RETURNING id`;
const ATTACH = 'INSERT INTO attachment_workspaces (attachment_id, workspace_id) VALUES ($1, $2)';

/** Raw: by the clock of the database. */
const RENEW = `UPDATE attachments SET leased_until = ${LEASED_UNTIL} WHERE id = $1`;
const FIND_UPLOAD = `
  SELECT id FROM attachments JOIN attachment_workspaces ON attachment_id = id
  WHERE workspace_id = $1 AND name = $2 AND stored_at IS NULL AND leased_until > now()`;

/** Raw: in the transaction that stores the response. */
const MARK_STORED = `
  UPDATE attachments SET stored_at = now()
  FROM attachment_workspaces JOIN workspaces ON workspaces.id = workspace_id
  WHERE attachments.id = $1 AND attachment_id = attachments.id AND workspace_id = $2
    AND ${permittedSql('$3', 'writeNotes')}
  RETURNING attachments.id, workspace_id AS "workspaceId", attachments.name, type,
    size_bytes AS "sizeBytes", attachments.created_at AS "createdAt"`;

export const ATTACHMENT_FIELDS = {
  id: true,
  name: true,
  type: true,
  sizeBytes: true,
  createdAt: true,
} as const;

/** Raw: Prisma would read the workspaces of files and the files one after the other. */
const READ = `
  SELECT a.id, a.name, a.type, a.size_bytes::float8 AS "sizeBytes", a.created_at AS "createdAt",
    workspaces.id AS "workspaceId"
  FROM attachment_workspaces w JOIN attachments a ON a.id = w.attachment_id
    JOIN workspaces ON workspaces.id = w.workspace_id
  WHERE a.stored_at IS NOT NULL`;
const LIST = `
  ${READ} AND w.workspace_id = $1 AND ($3::text IS NULL OR w.attachment_id < $3)
  ORDER BY w.attachment_id DESC LIMIT $2`;
const findSql = (permission: Permission) =>
  `${READ} AND w.attachment_id = $1 AND ${permittedSql('$2', permission)} LIMIT 1`;

export function createAttachmentStore(database: Database): AttachmentStore {
  const { prisma } = database;
  return {
    reserve({ workspaceId, accountId, name, type, sizeBytes, sourceId, origin }) {
      return database.transaction(origin, async (tx) => {
        const id = newId('fil');
        const values = [id, workspaceId, accountId, name, type, sizeBytes, sourceId];
        if ((await tx.query(INSERT, values)).length === 0) return null;
        await tx.query(ATTACH, [id, workspaceId]);
        await assertStorageFits(tx, workspaceId);
        return id;
      });
    },
    async renew(id) {
      await database.query(RENEW, [id]);
    },
    async isStoring(workspaceId, name) {
      return (await database.query(FIND_UPLOAD, [workspaceId, name])).length > 0;
    },
    async markStored(sql, id, { workspaceId, accountId }) {
      const values = [id, workspaceId, accountId];
      const [row] = await sql.query<AttachmentRecord>(MARK_STORED, values);
      return row ?? null;
    },
    async detach(id) {
      await prisma.attachmentWorkspace.deleteMany({ where: { attachmentId: id } });
    },
    async detachOwned(id, accountId) {
      const { count } = await prisma.attachmentWorkspace.deleteMany({
        where: { attachmentId: id, workspace: permitted(accountId, 'deleteFiles') },
      });
      return count > 0;
    },
    list: (workspaceId, limit, beforeId) =>
      database.query<AttachmentRecord>(LIST, [workspaceId, limit, beforeId]),
    async find(id, accountId, permission) {
      const values = [id, accountId];
      const [row] = await database.query<AttachmentRecord>(findSql(permission), values);
      return row ?? null;
    },
  };
}
