import type { NoteListQuery } from '@atrium/contracts/notes/notes';
import type { Sql } from '@atrium/service-kit/database';
import { type NoteSummaryRecord, summaryColumns } from './store.ts';

export type NoteSort = NoteListQuery['sort'];

/** Which notes of a workspace are listed, and in which order. */
export interface NoteListing {
  accountId: string;
  workspaceId: string;
  sort: NoteSort;
  isDescending: boolean;
  tags: readonly string[];
  match: NoteListQuery['match'];
  favourite: boolean | undefined;
  shared: boolean | undefined;
}

/** The last note of the page before, in the order of the list. */
export interface NotePosition {
  pinned: boolean;
  /** What the list is sorted by. */
  key: string | Date;
  id: string;
}

export interface NoteListStore {
  /** Pinned notes first. */
  list(listing: NoteListing, limit: number, after?: NotePosition): Promise<NoteSummaryRecord[]>;
}

const SORT_KEYS: Record<NoteSort, string> = {
  created: 'notes.created_at',
  updated: 'notes.updated_at',
  title: 'notes.title COLLATE natural_order',
};

/**
 * Raw: Prisma has neither the collation nor comparisons of rows, by which a page begins in the index where the
 * one before has ended.
 */
function groupSql({ sort, isDescending }: NoteListing, pinned: boolean, isFirst: boolean): string {
  const key = SORT_KEYS[sort];
  const [direction, follows] = isDescending ? ['DESC', '<'] : ['ASC', '>'];
  return `
    (SELECT ${summaryColumns('$1')}, (
      SELECT author_id FROM versions WHERE versions.note_id = notes.id
      ORDER BY versions.created_at DESC, versions.id DESC LIMIT 1
    ) AS "authorId" FROM notes
    WHERE notes.workspace_id = $2 AND notes.deleted_at IS NULL AND NOT notes.is_template
      AND notes.pinned = ${pinned}
      AND notes.tags @> $3::text[]
      AND ($4::text[] IS NULL OR notes.tags && $4::text[])
      AND NOT notes.tags && $5::text[]
      AND ($6::boolean IS NULL OR $6 = (notes.id IN (
        SELECT note_id FROM favourites WHERE account_id = $1)))
      AND ($7::boolean IS NULL OR $7 = EXISTS (
        SELECT FROM shares WHERE shares.note_id = notes.id))
      ${isFirst ? '' : `AND (${key}, notes.id) ${follows} ($9, $10)`}
    ORDER BY ${key} ${direction}, notes.id ${direction} LIMIT $8)`;
}

/** One statement, or a note that is pinned meanwhile would be listed twice or not at all. */
function listSql(listing: NoteListing, after: NotePosition | undefined): string {
  const others = groupSql(listing, false, after?.pinned !== false);
  if (after?.pinned === false) return others;
  // The groups have limits, so Postgres appends them in this order, and reads the second only to fill the page.
  return `${groupSql(listing, true, after === undefined)} UNION ALL ${others} LIMIT $8`;
}

export function createNoteListStore(sql: Sql): NoteListStore {
  return {
    list(listing, limit, after) {
      const { accountId, workspaceId, tags, match, favourite, shared } = listing;
      const all = match === 'all' ? tags : [];
      const any = match === 'any' && tags.length > 0 ? tags : null;
      const none = match === 'none' ? tags : [];
      const values = [accountId, workspaceId, all, any, none, favourite, shared, limit];
      const position = after === undefined ? [] : [after.key, after.id];
      return sql.query<NoteSummaryRecord>(listSql(listing, after), [...values, ...position]);
    },
  };
}
