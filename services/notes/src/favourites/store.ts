import type { Sql } from '@atrium/service-kit/database';
import type { TimePosition } from '@atrium/service-kit/pagination';
import { permittedSql } from '../access/permissions.ts';
import { type NoteSummaryRecord, summaryColumns } from '../notes/store.ts';

export interface FavouriteRecord extends NoteSummaryRecord {
  favouriteSince: Date;
}

export interface FavouriteStore {
  /** The latest first, of all workspaces. */
  list(accountId: string, limit: number, after?: TimePosition): Promise<FavouriteRecord[]>;
  /** `missing`: the account may not read such a note. */
  change(noteId: string, accountId: string, isFavourite: boolean): Promise<'changed' | 'missing'>;
}

/** Raw: locks the membership, so that no favourite is added while the member is being removed. */
const TARGET = `
  SELECT notes.id FROM notes JOIN members ON members.workspace_id = notes.workspace_id
  WHERE notes.id = $1 AND notes.deleted_at IS NULL AND members.account_id = $2
  FOR KEY SHARE OF members`;
const ADD = `
  WITH target AS (${TARGET}), added AS (
    INSERT INTO favourites (note_id, account_id) SELECT id, $2 FROM target ON CONFLICT DO NOTHING
  )
  SELECT id FROM target`;
const REMOVE = `
  WITH target AS (${TARGET}), removed AS (
    DELETE FROM favourites USING target
    WHERE favourites.note_id = target.id AND favourites.account_id = $2
  )
  SELECT id FROM target`;

/** Raw: a row comparison, and the columns that all lists of notes have. */
const LIST = `
  SELECT ${summaryColumns('$1')}, favourites.created_at AS "favouriteSince"
  FROM favourites JOIN notes ON notes.id = favourites.note_id
    JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE favourites.account_id = $1 AND notes.deleted_at IS NULL AND ${permittedSql('$1', 'read')}
    AND (favourites.created_at, favourites.note_id)
      < (coalesce($3::timestamptz, 'infinity'), coalesce($4::text, ''))
  ORDER BY favourites.created_at DESC, favourites.note_id DESC LIMIT $2`;

export function createFavouriteStore(sql: Sql): FavouriteStore {
  return {
    list: (accountId, limit, after) =>
      sql.query<FavouriteRecord>(LIST, [accountId, limit, after?.time, after?.id]),
    async change(noteId, accountId, isFavourite) {
      const rows = await sql.query(isFavourite ? ADD : REMOVE, [noteId, accountId]);
      return rows.length === 1 ? 'changed' : 'missing';
    },
  };
}
