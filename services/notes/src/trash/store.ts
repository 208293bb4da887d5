import { TRASH_DAYS } from '@atrium/contracts/trash';
import type { Database } from '@atrium/service-kit/database';
import { recordActivity } from '../activity/record.ts';
import type { PrismaClient } from '../generated/client.ts';
import { permitted, permittedSql } from '../members/permissions.ts';
import { eraseNotes } from '../notes/erasure.ts';
import { noteColumns, type NoteRecord } from '../notes/store.ts';
import { analyseNote } from '../search-index/analysis.ts';
import { addToIndex } from '../search-index/store.ts';

export interface TrashedNoteRecord {
  id: string;
  workspaceId: string;
  title: string;
  tags: string[];
  deletedAt: Date;
}

/** The last note of the page before. */
export interface TrashPosition {
  deletedAt: Date;
  id: string;
}

export type RestoreOutcome =
  | { kind: 'restored'; note: NoteRecord }
  | { kind: 'missing' }
  | { kind: 'full' };

export interface TrashStore {
  /** The latest deletion first. */
  list(workspaceId: string, limit: number, after?: TrashPosition): Promise<TrashedNoteRecord[]>;
  empty(workspaceId: string, accountId: string): Promise<void>;
  /** `full`: the workspace already has `limit` notes. */
  restore(id: string, accountId: string, limit: number): Promise<RestoreOutcome>;
}

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

// Raw: Prisma has no locks. These skip what another writer holds, such as one that restores it.
const CHOOSE_ALL = `
  SELECT notes.id FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE workspaces.id = $1 AND ${permittedSql('$2', 'emptyTrash')} AND notes.deleted_at IS NOT NULL
  LIMIT $3 FOR UPDATE OF notes SKIP LOCKED`;
const CHOOSE_OLD = `
  SELECT id FROM notes WHERE deleted_at < now() - make_interval(days => $1)
  LIMIT $2 FOR UPDATE SKIP LOCKED`;

export function createTrashStore(database: Database, prisma: PrismaClient): TrashStore {
  return {
    async list(workspaceId, limit, after) {
      const later = after && [
        { deletedAt: { lt: after.deletedAt } },
        { deletedAt: after.deletedAt, id: { lt: after.id } },
      ];
      const notes = await prisma.note.findMany({
        where: { workspaceId, deletedAt: { not: null }, ...(later && { OR: later }) },
        orderBy: [{ deletedAt: 'desc' }, { id: 'desc' }],
        take: limit,
        select: { id: true, workspaceId: true, title: true, tags: true, deletedAt: true },
      });
      return notes.flatMap(({ deletedAt, ...note }) =>
        deletedAt === null ? [] : [{ ...note, deletedAt }],
      );
    },
    empty: (workspaceId, accountId) => eraseNotes(database, CHOOSE_ALL, [workspaceId, accountId]),
    async restore(id, accountId, limit) {
      const note = await database.transaction(async (tx) => {
        const cap = Number.isFinite(limit) ? limit : null;
        const [restored] = await tx.query<NoteRecord>(RESTORE, [id, accountId, cap]);
        if (restored === undefined) return undefined;
        if (!restored.isTemplate) await addToIndex(tx, restored, await analyseNote(restored));
        const { workspaceId, title } = restored;
        const restoration = { workspaceId, accountId, noteId: id, title };
        await recordActivity(tx, { ...restoration, kind: 'note.restored' });
        return restored;
      });
      if (note !== undefined) return { kind: 'restored', note };
      const where = { id, deletedAt: { not: null }, workspace: permitted(accountId, 'writeNotes') };
      return { kind: (await prisma.note.count({ where })) === 0 ? 'missing' : 'full' };
    },
  };
}

/** Deletes for good what has been in the trash for 30 days, in small transactions. */
export function purgeTrash(database: Database): Promise<void> {
  return eraseNotes(database, CHOOSE_OLD, [TRASH_DAYS]);
}
