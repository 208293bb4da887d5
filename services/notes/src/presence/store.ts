import type { Sql } from '@atrium/service-kit/database';

interface OpenNote {
  noteId: string;
  accountId: string;
  version: number;
  /** The account that wrote its text last. */
  userId: string | null;
  /** What others did last in its workspace, but for the texts of notes: a hash of each. */
  recent: number[];
}

/** A stream that has missed more tells of a change all the same. */
const RECENT_MAX = 5;

/** Raw: one query for all open streams. */
const FIND = `
  SELECT open.note_id AS "noteId", open.account_id AS "accountId", n.version,
    (SELECT author_id FROM versions WHERE note_id = n.id ORDER BY created_at DESC, id DESC LIMIT 1) AS "userId",
    ARRAY(SELECT hashtext(id || coalesce(title, '')) FROM (
      SELECT id, title, kind, actor_id FROM activities WHERE workspace_id = n.workspace_id
      ORDER BY id DESC LIMIT ${RECENT_MAX}) AS recent
      WHERE kind <> 'note.edited' AND actor_id IS DISTINCT FROM open.account_id) AS recent
  FROM unnest($1::text[], $2::text[]) AS open (note_id, account_id)
    JOIN notes n ON n.id = open.note_id AND n.deleted_at IS NULL
    JOIN members m ON m.workspace_id = n.workspace_id AND m.account_id = open.account_id`;

/** The notes that accounts have open, without those that their account may not read any more. */
export function findOpenNotes(
  sql: Sql,
  viewers: readonly { noteId: string; accountId: string }[],
): Promise<OpenNote[]> {
  const noteIds = viewers.map(({ noteId }) => noteId);
  const accountIds = viewers.map(({ accountId }) => accountId);
  return sql.query(FIND, [noteIds, accountIds]);
}
