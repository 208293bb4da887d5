import { TRASH_DAYS } from '@atrium/contracts/notes/trash';
import { NOTE_LEVELS_MAX } from '@atrium/contracts/notes/tree';
import type { Origin, Sql } from '@atrium/service-kit/database';
import { notFound } from '@atrium/service-kit/http-error';
import type { TimePosition } from '@atrium/service-kit/pagination';
import { permittedSql } from '../access/permissions.ts';
import { recordActivities } from '../activity/record.ts';
import type { Database } from '../database.ts';
import { eraseNotes, eraseSomeNotes } from '../notes/erasure.ts';
import { type NoteRecord, readNote } from '../notes/store.ts';
import { addBranchToIndex, type SizedNote } from '../search-index/branches.ts';
import { appendSharedEvents } from '../sharing/events.ts';
import { findPath, lastPositionSql, lockWorkspaceOf } from '../tree/structure.ts';

export interface TrashedNoteRecord {
  id: string;
  workspaceId: string;
  title: string;
  tags: string[];
  notesBelow: number;
  deletedAt: Date;
}

export type RestoreOutcome =
  | { kind: 'restored'; note: NoteRecord }
  | { kind: 'missing' }
  | { kind: 'full' };

/** A note that is to be restored, its level in the branch, and its parent. */
interface TrashedRow {
  id: string;
  level: number;
  parentId: string | null;
}

export interface TrashStore {
  /**
   * The latest deletion first, without the notes that went with one above them.
   *
   * @param of.workspaceId one of the workspaces of the account; all of them when it is undefined
   */
  list(
    of: { accountId: string; workspaceId?: string },
    limit: number,
    after?: TimePosition,
  ): Promise<TrashedNoteRecord[]>;
  /** @returns what erases a batch of all that is in the trash of a workspace by now, and says how many */
  beginEmptying(workspaceId: string, accountId: string): Promise<() => Promise<number>>;
  /** Erases a note and those below that went to the trash with it. @returns whether there was such a note */
  erase(workspaceId: string, id: string, accountId: string): Promise<boolean>;
  /**
   * Restores a note and those below that went to the trash with it. Without its former parent, it goes to the
   * end of the first level. Those with a share are public again, and the owner gets an event for each. `full`:
   * the workspace would have more than `limit` notes.
   */
  restore(origin: Origin, id: string, accountId: string, limit: number): Promise<RestoreOutcome>;
}

/** Raw: reads the index of each workspace no further than a page needs, however much is in the trash. */
const LIST = `
  WITH page AS MATERIALIZED (
    SELECT trashed.* FROM workspaces CROSS JOIN LATERAL (
      SELECT note.id, note.workspace_id, note.title, note.tags, note.deleted_at,
        coalesce(note.deleted_with, note.id) AS root
      FROM notes AS note LEFT JOIN notes AS above ON above.id = note.parent_id
        AND above.deleted_at = note.deleted_at
        AND coalesce(above.deleted_with, above.id) = note.deleted_with
      WHERE note.workspace_id = workspaces.id AND note.deleted_at IS NOT NULL AND above.id IS NULL
        AND ($3::timestamptz IS NULL OR (note.deleted_at, note.id) < ($3, $4))
      ORDER BY note.deleted_at DESC, note.id DESC LIMIT $5
    ) AS trashed
    WHERE ($2::text IS NULL OR workspaces.id = $2) AND ${permittedSql('$1', 'read')}
    ORDER BY deleted_at DESC, id DESC LIMIT $5
  )
  SELECT id, workspace_id AS "workspaceId", title, tags, deleted_at AS "deletedAt",
    below.count AS "notesBelow"
  FROM page CROSS JOIN LATERAL (
    WITH RECURSIVE went AS MATERIALIZED (
      SELECT id, parent_id FROM notes
      WHERE workspace_id = page.workspace_id AND deleted_at = page.deleted_at AND deleted_with = page.root
    ), below AS (
      SELECT id FROM went WHERE parent_id = page.id
      UNION ALL
      SELECT went.id FROM below JOIN went ON went.parent_id = below.id
    )
    SELECT count(*)::integer FROM below
  ) AS below
  ORDER BY deleted_at DESC, id DESC`;

/** The table `branch`, for WITH RECURSIVE: a note in the trash and all below it that went there with it. */
const trashedBranchSql = (workspace: string, note: string) => `
  target AS (
    SELECT id, deleted_at, coalesce(deleted_with, id) AS root FROM notes
    WHERE id = ${note} AND workspace_id = ${workspace} AND deleted_at IS NOT NULL
  ), went AS MATERIALIZED (
    SELECT notes.id, notes.parent_id FROM notes JOIN target
      ON notes.deleted_at = target.deleted_at AND notes.deleted_with = target.root
    WHERE notes.workspace_id = ${workspace}
  ), branch (id, level) AS (
    SELECT id, 1 FROM target
    UNION ALL
    SELECT went.id, branch.level + 1 FROM branch JOIN went ON went.parent_id = branch.id
  )`;

/** Raw: in the transaction that has locked the workspace, which comes before the note everywhere. */
const FIND_TRASHED = `
  WITH RECURSIVE ${trashedBranchSql('$1', '$2')}
  SELECT branch.id, branch.level, notes.parent_id AS "parentId"
  FROM branch JOIN notes USING (id) ORDER BY branch.level, branch.id`;

/** Raw: in the same transaction. Without its former parent, the note goes to the end of the first level. */
const RESTORE = `
  WITH restored AS (
    UPDATE notes SET deleted_at = NULL, deleted_with = NULL,
      parent_id = CASE WHEN id = $2 THEN $4 ELSE parent_id END,
      position = CASE WHEN id = $2 AND parent_id IS DISTINCT FROM $4
        THEN ${lastPositionSql('$1', 'NULL')} ELSE position END
    WHERE id = ANY ($3::text[]) AND deleted_at IS NOT NULL
    RETURNING id, title, text_bytes(content)::float8 AS bytes
  )
  SELECT id AS "noteId", title, bytes
  FROM restored JOIN unnest($3::text[]) WITH ORDINALITY AS branch (id, place) USING (id)
  ORDER BY place`;

const COUNT = `
  UPDATE workspaces SET note_count = note_count + $2 WHERE id = $1
    AND ($3::integer IS NULL OR note_count + $2 <= $3::integer) RETURNING id`;

/** By the clock and in the precision of `deleted_at`. */
const NOW = 'SELECT now()::timestamptz(3) AS now';

// Raw: Prisma has no locks. Many are chosen without those that another writer holds, such as one that
// restores them.
const CHOOSE_ALL = `
  SELECT notes.id FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE workspaces.id = $1 AND ${permittedSql('$2', 'emptyTrash')} AND notes.deleted_at <= $3
  LIMIT $4 FOR UPDATE OF notes SKIP LOCKED`;
/**
 * Notes below come first: a later batch could not find them without the one above. Whether they are deleted is
 * asked again of the rows themselves, which may have been restored while this waited for them.
 */
const CHOOSE_BRANCH = `
  WITH RECURSIVE ${trashedBranchSql('$1', '$3')}
  SELECT notes.id FROM branch JOIN notes USING (id)
    JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE ${permittedSql('$2', 'emptyTrash')} AND notes.deleted_at IS NOT NULL
  ORDER BY branch.level DESC LIMIT $4 FOR UPDATE OF notes`;
const CHOOSE_OLD = `
  SELECT id FROM notes WHERE deleted_at < now() - make_interval(days => $1)
  LIMIT $2 FOR UPDATE SKIP LOCKED`;

export function createTrashStore(
  database: Database,
  sharedUrl: (token: string) => string,
): TrashStore {
  return {
    list({ accountId, workspaceId = null }, limit, after) {
      const values = [accountId, workspaceId, after?.time ?? null, after?.id ?? null, limit];
      return database.query<TrashedNoteRecord>(LIST, values);
    },
    async beginEmptying(workspaceId, accountId) {
      const [clock] = await database.query<{ now: Date }>(NOW);
      const values = [workspaceId, accountId, clock?.now];
      return () => eraseSomeNotes(database, CHOOSE_ALL, values);
    },
    erase: async (workspaceId, id, accountId) =>
      (await eraseNotes(database, CHOOSE_BRANCH, [workspaceId, accountId, id])) > 0,
    async restore(origin, id, accountId, limit) {
      return database.transaction(origin, async (tx) => {
        const workspaceId = await lockWorkspaceOf(tx, id, accountId);
        if (workspaceId === undefined) return { kind: 'missing' };
        const branch = await tx.query<TrashedRow>(FIND_TRASHED, [workspaceId, id]);
        const ids = branch.map((row) => row.id);
        if (ids.length === 0) return { kind: 'missing' };
        const cap = Number.isFinite(limit) ? limit : null;
        const counted = await tx.query(COUNT, [workspaceId, ids.length, cap]);
        if (counted.length === 0) return { kind: 'full' };
        const parentId = await formerParent(tx, workspaceId, branch);
        const restored = await tx.query<SizedNote & { title: string }>(RESTORE, [
          workspaceId,
          id,
          ids,
          parentId,
        ]);
        // A job may erase them at the same time.
        if (restored.length < ids.length) throw notFound('Note');
        await addBranchToIndex(tx, workspaceId, restored);
        await recordActivities(tx, { kind: 'note.restored', workspaceId, accountId }, restored);
        await appendSharedEvents(tx, ids, sharedUrl);
        const note = await readNote(tx, id, accountId);
        return note === null ? { kind: 'missing' } : { kind: 'restored', note };
      });
    },
  };
}

/** Null when it is not there any more, or as deep by now that the notes would not fit below it. */
async function formerParent(
  tx: Sql,
  workspaceId: string,
  branch: readonly TrashedRow[],
): Promise<string | null> {
  const parentId = branch[0]?.parentId ?? null;
  if (parentId === null) return null;
  const { length } = await findPath(tx, workspaceId, parentId);
  const levels = branch.at(-1)?.level ?? 1;
  return length > 0 && length + levels <= NOTE_LEVELS_MAX ? parentId : null;
}

/** Deletes for good what has been in the trash for 30 days, in small transactions. */
export async function purgeTrash(database: Database, signal?: AbortSignal): Promise<void> {
  await eraseNotes(database, CHOOSE_OLD, [TRASH_DAYS], signal);
}
