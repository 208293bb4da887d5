import { newId } from '@atrium/contracts/ids';
import type { Origin, Sql } from '@atrium/service-kit/database';
import { permitted, permittedSql } from '../access/permissions.ts';
import type { Database, Tx } from '../database.ts';
import { deleteBranch } from './deletion.ts';
import { acceptedVersions, type Precondition } from './entity-tag.ts';
import { exceedsTrash, trimTrash } from './erasure.ts';
import { assertParent, lastPositionSql, lockWorkspace } from '../tree/structure.ts';
import { type Former, writeText } from './write-text.ts';

export interface NoteSummaryRecord {
  id: string;
  workspaceId: string;
  title: string;
  tags: string[];
  pinned: boolean;
  /** Whether it is a favourite of the account that asks. */
  favourite: boolean;
  isTemplate: boolean;
  parentId: string | null;
  shareToken: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** The account that wrote its text last; only in the list of a workspace. */
  authorId?: string | null;
}

export interface NoteRecord extends NoteSummaryRecord {
  content: string;
  version: number;
}

export interface NoteInput {
  title: string;
  content: string;
  tags: string[];
  pinned: boolean;
}

/** It becomes the last child of its parent. */
export interface NewNote extends NoteInput {
  isTemplate?: boolean;
  parentId?: string | null;
  origin?: NoteOrigin;
}

/** What an imported note was elsewhere. */
export interface NoteOrigin {
  /** The id to create it with. */
  id: string;
  sourceId: string;
  createdAt: Date;
  updatedAt: Date;
}

export type CreateOutcome =
  | { kind: 'created'; note: NoteRecord }
  | { kind: 'missing' }
  | { kind: 'full' };
export type UpdateOutcome = { kind: 'updated'; note: NoteRecord } | { kind: 'missing' | 'stale' };
export type DeleteOutcome = { kind: 'deleted' | 'missing' | 'stale' };

/** A note that an account changes, if it is as the account read it. */
export interface NoteTarget {
  id: string;
  accountId: string;
  precondition: Precondition;
  origin: Origin;
}

export interface NoteStore {
  /**
   * `full`: the workspace already has `limit` notes.
   *
   * @throws HttpError 404 or 422 when it cannot be below that parent
   */
  create(
    tx: Tx,
    workspaceId: string,
    accountId: string,
    note: NewNote,
    limit: number,
  ): Promise<CreateOutcome>;
  find(id: string, accountId: string): Promise<NoteRecord | null>;
  /** @param isRestore whether the text is that of a former version */
  update(
    target: NoteTarget,
    change: Partial<NoteInput>,
    isRestore?: boolean,
  ): Promise<UpdateOutcome>;
  /**
   * Moves the note, with all below it, to the trash, which holds `limit` notes that the owner has deleted, and as many of editors.
   *
   * @param trash.isTrimmed whether the oldest ones go for good when there are more, as for the owner
   * @param trash.refuse what to throw when an editor deletes one more, or the owner more at once than it holds
   */
  delete(
    target: NoteTarget,
    trash: { limit: number; isTrimmed: boolean; refuse: () => Error },
  ): Promise<DeleteOutcome>;
}

/** @param account the parameter with the account that asks, such as `$2` */
export const summaryColumns = (account: string) => `
  notes.id, notes.workspace_id AS "workspaceId", notes.title, notes.tags, notes.pinned,
  EXISTS (SELECT FROM favourites WHERE favourites.note_id = notes.id
    AND favourites.account_id = ${account}) AS favourite,
  notes.is_template AS "isTemplate", notes.parent_id AS "parentId", notes.created_at AS "createdAt", notes.updated_at AS "updatedAt",
  (SELECT token FROM shares WHERE shares.note_id = notes.id) AS "shareToken"`;
export const noteColumns = (account: string) => `
  ${summaryColumns(account)}, notes.content, notes.version`;

/** Raw: the first part locks the workspace, so that parallel requests are counted one by one. */
const CREATE = `
  WITH slot AS (
    UPDATE workspaces SET note_count = note_count + 1
    WHERE id = $2 AND ${permittedSql('$3', 'writeNotes')}
      AND ($4::integer IS NULL OR note_count < $4::integer)
    RETURNING id
  )
  INSERT INTO notes
    (id, workspace_id, title, content, tags, pinned, is_template, source_id, created_at, updated_at,
      parent_id, position)
  SELECT $1, slot.id, $5, $6, $7, $8, $9, $10, coalesce($11, now()), coalesce($12, now()),
    $13, ${lastPositionSql('$2', '$13')} FROM slot
  RETURNING ${noteColumns('$3')}`;

/** Raw: in the transaction of CREATE. */
const FIND_WORKSPACE = `
  SELECT 1 FROM workspaces WHERE id = $1 AND ${permittedSql('$2', 'writeNotes')}`;

/** Raw: one statement, as it is the most frequent one of a note. */
const FIND = `
  SELECT ${noteColumns('$2')} FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE notes.id = $1 AND notes.deleted_at IS NULL AND ${permittedSql('$2', 'read')}`;

const IS_CHANGED = `
  (notes.title, notes.content, notes.tags, notes.pinned) IS DISTINCT FROM
  (coalesce($4, notes.title), coalesce($5, notes.content), coalesce($6, notes.tags),
    coalesce($7, notes.pinned))`;

/** Raw: checks membership and version in the statement that writes. */
const UPDATE = `
  UPDATE notes SET
    title = coalesce($4, notes.title), content = coalesce($5, notes.content),
    tags = coalesce($6, notes.tags), pinned = coalesce($7, notes.pinned),
    version = notes.version + (${IS_CHANGED})::integer,
    updated_at = CASE WHEN ${IS_CHANGED} THEN now() ELSE notes.updated_at END
  FROM workspaces
  WHERE notes.id = $1 AND notes.deleted_at IS NULL
    AND workspaces.id = notes.workspace_id AND ${permittedSql('$2', 'writeNotes')}
    AND ($3::integer[] IS NULL OR notes.version = ANY ($3::integer[]))
  RETURNING ${noteColumns('$2')}, old.title AS "formerTitle",
    (old.content, old.tags) IS DISTINCT FROM (new.content, new.tags) AS "isEdited"`;

/** A note that the account may read. */
export async function readNote(
  sql: Sql,
  id: string,
  accountId: string,
): Promise<NoteRecord | null> {
  const [note] = await sql.query<NoteRecord>(FIND, [id, accountId]);
  return note ?? null;
}

export function createNoteStore(database: Database): NoteStore {
  async function missingOrStale({ id, accountId }: NoteTarget) {
    const found = await database.prisma.note.count({
      where: { id, deletedAt: null, workspace: permitted(accountId, 'read') },
    });
    return { kind: found === 0 ? 'missing' : 'stale' } as const;
  }

  return {
    async create(tx, workspaceId, accountId, input, limit) {
      const cap = Number.isFinite(limit) ? limit : null;
      const { title, content, tags, pinned, isTemplate = false, parentId = null, origin } = input;
      if (parentId !== null) {
        if (!(await lockWorkspace(tx, workspaceId, accountId))) return { kind: 'missing' };
        await assertParent(tx, { workspaceId, parentId });
      }
      const text = [title, content, tags, pinned, isTemplate];
      const { id = newId('note'), sourceId, createdAt, updatedAt } = origin ?? {};
      const source = [sourceId, createdAt, updatedAt];
      const values = [id, workspaceId, accountId, cap, ...text, ...source, parentId];
      const [note] = await tx.query<NoteRecord>(CREATE, values);
      if (note === undefined) {
        const [workspace] = await tx.query(FIND_WORKSPACE, [workspaceId, accountId]);
        return workspace === undefined ? { kind: 'missing' } : { kind: 'full' };
      }
      await writeText(tx, note, { accountId });
      return { kind: 'created', note };
    },
    find: (id, accountId) => readNote(database, id, accountId),
    async update(target, { title, content, tags, pinned }, isRestore = false) {
      const { id, accountId, origin } = target;
      const accepted = acceptedVersions(target.precondition);
      const values = [id, accountId, accepted, title, content, tags, pinned];
      const isTextChanged = [title, content, tags].some((value) => value !== undefined);
      const note = await database.transaction(origin, async (tx) => {
        const [updated] = await tx.query<NoteRecord & Former>(UPDATE, values);
        if (updated !== undefined && isTextChanged) {
          await writeText(tx, updated, { accountId, former: updated, isRestore });
        }
        return updated;
      });
      return note === undefined ? missingOrStale(target) : { kind: 'updated', note };
    },
    async delete(target, { limit, isTrimmed, refuse }) {
      const workspaceId = await database.transaction(target.origin, async (tx) => {
        const deleted = await deleteBranch(tx, target);
        if (deleted === undefined) return undefined;
        const { workspaceId, count } = deleted;
        const isTooMuch = isTrimmed ? count > limit : await exceedsTrash(tx, workspaceId, limit);
        if (isTooMuch) throw refuse();
        return workspaceId;
      });
      if (workspaceId === undefined) return missingOrStale(target);
      if (isTrimmed) await trimTrash(database, workspaceId, limit);
      return { kind: 'deleted' };
    },
  };
}
