import { TRASH_DAYS } from '@atrium/contracts/notes/trash';
import type { Origin } from '@atrium/service-kit/database';
import type { TimePosition } from '@atrium/service-kit/pagination';
import { permitted, permittedSql } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import type { Database } from '../database.ts';
import { eraseNotes, eraseSomeNotes } from '../notes/erasure.ts';
import { noteColumns, type NoteRecord } from '../notes/store.ts';
import { addToIndex } from '../search-index/store.ts';

export interface TrashedNoteRecord {
  id: string;
  workspaceId: string;
  title: string;
  tags: string[];
  deletedAt: Date;
}

export type RestoreOutcome =
  | { kind: 'restored'; note: NoteRecord }
  | { kind: 'missing' }
  | { kind: 'full' };

export interface TrashStore {
  /**
   * The latest deletion first.
   *
   * @param of.workspaceId one of the workspaces of the account; all of them when it is undefined
   */
  list(
    of: { accountId: string; workspaceId?: string },
    limit: number,
    after?: TimePosition,
  ): Promise<TrashedNoteRecord[]>;
  empty(workspaceId: string, accountId: string): Promise<void>;
  /** @returns whether there was such a note */
  erase(workspaceId: string, id: string, accountId: string): Promise<boolean>;
  /** `full`: the workspace already has `limit` notes. */
  restore(origin: Origin, id: string, accountId: string, limit: number): Promise<RestoreOutcome>;
}

/** Raw: reads only a page of the index of each workspace, however much is in the trash. */
const LIST = `
  SELECT trashed.* FROM workspaces CROSS JOIN LATERAL (
    SELECT id, workspace_id AS "workspaceId", title, tags, deleted_at AS "deletedAt" FROM notes
    WHERE workspace_id = workspaces.id AND deleted_at IS NOT NULL
      AND ($3::timestamptz IS NULL OR (deleted_at, id) < ($3, $4))
    ORDER BY deleted_at DESC, id DESC LIMIT $5
  ) AS trashed
  WHERE ($2::text IS NULL OR workspaces.id = $2) AND ${permittedSql('$1', 'read')}
  ORDER BY "deletedAt" DESC, id DESC LIMIT $5`;

/** Raw: locks the workspace before the note, as every other writer does, to avoid deadlocks. */
const RESTORE = `
  WITH target AS (
    SELECT workspaces.id FROM workspaces JOIN notes ON notes.workspace_id = workspaces.id
    WHERE notes.id = $1 AND ${permittedSql('$2', 'writeNotes')}
      AND ($3::integer IS NULL OR workspaces.note_count < $3::integer)
    FOR UPDATE OF workspaces
  ), restored AS (
    UPDATE notes SET deleted_at = NULL FROM target
    WHERE notes.id = $1 AND notes.workspace_id = target.id AND notes.deleted_at IS NOT NULL
    RETURNING ${noteColumns('$2')}
  )
  UPDATE workspaces SET note_count = note_count + 1 FROM restored
  WHERE workspaces.id = restored."workspaceId" RETURNING restored.*`;

// Raw: Prisma has no locks. Many are chosen without those that another writer holds, such as one that
// restores them.
const CHOOSE_ALL = `
  SELECT notes.id FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE workspaces.id = $1 AND ${permittedSql('$2', 'emptyTrash')} AND notes.deleted_at IS NOT NULL
  LIMIT $3 FOR UPDATE OF notes SKIP LOCKED`;
const CHOOSE_ONE = `
  SELECT notes.id FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE workspaces.id = $1 AND ${permittedSql('$2', 'emptyTrash')} AND notes.id = $3
    AND notes.deleted_at IS NOT NULL
  LIMIT $4 FOR UPDATE OF notes`;
const CHOOSE_OLD = `
  SELECT id FROM notes WHERE deleted_at < now() - make_interval(days => $1)
  LIMIT $2 FOR UPDATE SKIP LOCKED`;

export function createTrashStore(database: Database): TrashStore {
  return {
    list({ accountId, workspaceId = null }, limit, after) {
      const values = [accountId, workspaceId, after?.time ?? null, after?.id ?? null, limit];
      return database.query<TrashedNoteRecord>(LIST, values);
    },
    empty: (workspaceId, accountId) => eraseNotes(database, CHOOSE_ALL, [workspaceId, accountId]),
    erase: async (workspaceId, id, accountId) =>
      (await eraseSomeNotes(database, CHOOSE_ONE, [workspaceId, accountId, id])) > 0,
    async restore(origin, id, accountId, limit) {
      const note = await database.transaction(origin, async (tx) => {
        const cap = Number.isFinite(limit) ? limit : null;
        const [restored] = await tx.query<NoteRecord>(RESTORE, [id, accountId, cap]);
        if (restored === undefined) return undefined;
        if (!restored.isTemplate) await addToIndex(tx, restored);
        const { workspaceId, title } = restored;
        const restoration = { workspaceId, accountId, noteId: id, title };
        await recordActivity(tx, { ...restoration, kind: 'note.restored' });
        return restored;
      });
      if (note !== undefined) return { kind: 'restored', note };
      const where = { id, deletedAt: { not: null }, workspace: permitted(accountId, 'writeNotes') };
      return { kind: (await database.prisma.note.count({ where })) === 0 ? 'missing' : 'full' };
    },
  };
}

/** Deletes for good what has been in the trash for 30 days, in small transactions. */
export function purgeTrash(database: Database): Promise<void> {
  return eraseNotes(database, CHOOSE_OLD, [TRASH_DAYS]);
}
