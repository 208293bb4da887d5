import { randomBytes } from 'node:crypto';
import { appendEvent } from '@atrium/events/outbox';
import type { Database } from '@atrium/service-kit/database';

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
  /** Makes the note public; the event leaves with the same commit, and only if it was private. */
  share(id: string, ownerId: string, requestId: string): Promise<ShareOutcome>;
  unshare(id: string, ownerId: string): Promise<'private' | 'missing'>;
  findShared(token: string): Promise<SharedNoteRecord | null>;
}

interface Unshared {
  token: null;
  sharedAt: null;
}

interface SharedRow extends Share {
  workspaceId: string;
  title: string;
}

const TOKEN_BYTES = 32;

const SHARE = `
  UPDATE notes SET share_token = $2, shared_at = now(), version = version + 1
  WHERE id = $1
  RETURNING share_token AS token, shared_at AS "sharedAt", workspace_id AS "workspaceId", title`;

/** Locks the note: nobody shares or unshares it until the transaction ends. */
const FIND_SHARE = `
  SELECT notes.share_token AS token, notes.shared_at AS "sharedAt"
  FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE notes.id = $1 AND workspaces.owner_id = $2
  FOR UPDATE OF notes`;

const UNSHARE = `
  UPDATE notes SET share_token = NULL, shared_at = NULL,
    version = version + CASE WHEN share_token IS NULL THEN 0 ELSE 1 END
  FROM workspaces
  WHERE notes.id = $1 AND workspaces.id = notes.workspace_id AND workspaces.owner_id = $2
  RETURNING notes.id`;

const FIND_SHARED = `
  SELECT title, content, tags, shared_at AS "sharedAt", updated_at AS "updatedAt"
  FROM notes WHERE share_token = $1`;

export function createShareStore(db: Database, sharedUrl: (token: string) => string): ShareStore {
  return {
    share(id, ownerId, requestId) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      return db.transaction(async (tx) => {
        const [current] = await tx.query<Share | Unshared>(FIND_SHARE, [id, ownerId]);
        if (current === undefined) return { kind: 'missing' };
        if (current.token !== null) return { kind: 'already-shared', share: current };
        const [row] = await tx.query<SharedRow>(SHARE, [id, token]);
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
        return { kind: 'shared', share: { token: row.token, sharedAt: row.sharedAt } };
      });
    },
    async unshare(id, ownerId) {
      const rows = await db.query(UNSHARE, [id, ownerId]);
      return rows.length === 1 ? 'private' : 'missing';
    },
    async findShared(token) {
      const [note] = await db.query<SharedNoteRecord>(FIND_SHARED, [token]);
      return note ?? null;
    },
  };
}
