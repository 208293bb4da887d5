import { randomBytes } from 'node:crypto';
import { appendEvent } from '@atrium/events/outbox';
import type { Database } from '@atrium/service-kit/database';
import { recordActivity } from '../activity/record.ts';
import type { PrismaClient } from '../generated/client.ts';
import { permittedSql } from '../members/permissions.ts';

export interface Share {
  token: string;
  sharedAt: Date;
}

export interface SharedNoteRecord {
  title: string;
  content: string;
  tags: string[];
  sharedAt: Date;
  updatedAt: Date;
}

export type ShareOutcome =
  | { kind: 'shared' | 'already-shared'; share: Share }
  | { kind: 'missing' };

export interface ShareStore {
  /**
   * Makes the note public. The event, for the owner of the workspace, is stored in the same transaction,
   * only if the note was private.
   */
  share(id: string, accountId: string, requestId: string): Promise<ShareOutcome>;
  unshare(id: string, accountId: string): Promise<'private' | 'missing'>;
  findShared(token: string): Promise<SharedNoteRecord | null>;
}

interface LockedShare {
  ownerId: string;
  token: string | null;
  sharedAt: Date | null;
}

interface SharedRow extends Share {
  workspaceId: string;
  title: string;
}

interface UnsharedRow {
  workspaceId: string;
  title: string;
  wasShared: boolean;
}

const TOKEN_BYTES = 32;

/** Raw, as the event is appended in the same transaction. */
const SHARE = `
  UPDATE notes SET share_token = $2, shared_at = now(), version = version + 1
  WHERE id = $1
  RETURNING share_token AS token, shared_at AS "sharedAt", workspace_id AS "workspaceId", title`;

/** Raw: locks the note, so that parallel requests share it one after another. */
const LOCK_SHARE = `
  SELECT notes.share_token AS token, notes.shared_at AS "sharedAt", workspaces.owner_id AS "ownerId"
  FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE notes.id = $1 AND notes.deleted_at IS NULL AND ${permittedSql('$2', 'shareNotes')}
  FOR UPDATE OF notes`;

/** Raw: the version changes only if the note was public. */
const UNSHARE = `
  UPDATE notes SET share_token = NULL, shared_at = NULL,
    version = version + CASE WHEN share_token IS NULL THEN 0 ELSE 1 END
  FROM workspaces
  WHERE notes.id = $1 AND notes.deleted_at IS NULL
    AND workspaces.id = notes.workspace_id AND ${permittedSql('$2', 'shareNotes')}
  RETURNING notes.workspace_id AS "workspaceId", notes.title,
    old.share_token IS NOT NULL AS "wasShared"`;

export function createShareStore(
  database: Database,
  prisma: PrismaClient,
  sharedUrl: (token: string) => string,
): ShareStore {
  return {
    share(id, accountId, requestId) {
      const newToken = randomBytes(TOKEN_BYTES).toString('base64url');
      return database.transaction(async (tx) => {
        const [current] = await tx.query<LockedShare>(LOCK_SHARE, [id, accountId]);
        if (current === undefined) return { kind: 'missing' };
        const { token, sharedAt, ownerId } = current;
        if (token !== null && sharedAt !== null) {
          return { kind: 'already-shared', share: { token, sharedAt } };
        }
        const [row] = await tx.query<SharedRow>(SHARE, [id, newToken]);
        if (row === undefined) return { kind: 'missing' };
        await appendEvent(tx, {
          event: 'note.shared',
          accountId: ownerId,
          requestId,
          data: {
            noteId: id,
            workspaceId: row.workspaceId,
            title: row.title,
            url: sharedUrl(row.token),
            sharedAt: row.sharedAt.toISOString(),
          },
        });
        const { workspaceId, title } = row;
        await recordActivity(tx, {
          kind: 'note.shared',
          workspaceId,
          accountId,
          noteId: id,
          title,
        });
        return { kind: 'shared', share: { token: row.token, sharedAt: row.sharedAt } };
      });
    },
    unshare(id, accountId) {
      return database.transaction(async (tx) => {
        const [note] = await tx.query<UnsharedRow>(UNSHARE, [id, accountId]);
        if (note === undefined) return 'missing';
        const { wasShared, workspaceId, title } = note;
        const unshared = { workspaceId, accountId, noteId: id, title };
        if (wasShared) await recordActivity(tx, { ...unshared, kind: 'note.unshared' });
        return 'private';
      });
    },
    async findShared(token) {
      const note = await prisma.note.findUnique({
        where: { shareToken: token, deletedAt: null, workspace: { ownerId: { not: null } } },
        select: { title: true, content: true, tags: true, sharedAt: true, updatedAt: true },
      });
      return note === null || note.sharedAt === null ? null : { ...note, sharedAt: note.sharedAt };
    },
  };
}
