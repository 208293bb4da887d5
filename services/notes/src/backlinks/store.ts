import type { Sql } from '@atrium/service-kit/database';
import { permittedSql } from '../access/permissions.ts';

export interface BacklinkRecord {
  id: string;
  title: string;
  workspaceId: string;
  workspaceName: string;
  /** What the note calls the other one: a title in lower case, or a URL. */
  name: string;
  /** The part of its text in which that stands. */
  passage: string;
}

export interface NoteLinkRecord {
  name: string;
  noteId: string;
  title: string;
}

export interface BacklinkStore {
  /** The notes that link to a note, newest first, only those older than `beforeId` when it is given. */
  list(
    noteId: string,
    accountId: string,
    limit: number,
    beforeId?: string,
  ): Promise<BacklinkRecord[]>;
  /** What the titles that a note links to mean. */
  links(noteId: string, accountId: string): Promise<NoteLinkRecord[]>;
}

/**
 * The note that a row of `note_links` means: its target while that is there, or else the oldest note of the
 * workspace that has the title.
 */
const TARGET = `
  coalesce((
    SELECT id FROM notes WHERE id = links.target_id AND deleted_at IS NULL
      AND (workspace_id = links.workspace_id OR links.name LIKE '/notes/%')
  ), (
    SELECT id FROM notes
    WHERE workspace_id = links.workspace_id AND note_name(title) = links.name
      AND deleted_at IS NULL AND NOT is_template ORDER BY id LIMIT 1
  ))`;

const PASSAGE_BEFORE = 200;
const PASSAGE_LENGTH = 800;

/** Raw: Prisma cannot say what a link means. Only the texts of the page are read, which takes a millisecond each. */
const LIST = `
  WITH note AS (
    SELECT id, workspace_id, note_name(title) AS name FROM notes WHERE id = $1
  ), page AS MATERIALIZED (
    SELECT DISTINCT ON (sources.id) sources.id, workspaces.name AS "workspaceName", links.name
    FROM note JOIN note_links AS links ON links.target_id = note.id
        OR (links.workspace_id = note.workspace_id AND links.name = note.name)
      JOIN notes AS sources ON sources.id = links.note_id
      JOIN workspaces ON workspaces.id = sources.workspace_id
    WHERE links.workspace_id IN (SELECT workspace_id FROM members WHERE account_id = $2)
      AND sources.deleted_at IS NULL AND sources.id <> $1 AND ${permittedSql('$2', 'read')}
      AND ($4::text IS NULL OR sources.id < $4) AND ${TARGET} = $1
    ORDER BY sources.id DESC LIMIT $3
  )
  SELECT id, notes.title, notes.workspace_id AS "workspaceId", "workspaceName", page.name,
    substring(notes.content
      FROM greatest(1, position(page.name IN lower(notes.content COLLATE pg_unicode_fast)) - ${PASSAGE_BEFORE})
      FOR ${PASSAGE_LENGTH}) AS passage
  FROM page JOIN notes USING (id)
  ORDER BY id DESC`;

/** Raw: the same. Those by URL need no resolving. */
const LINKS = `
  SELECT links.name, notes.id AS "noteId", notes.title
  FROM note_links AS links JOIN notes ON notes.id = ${TARGET}
    JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE links.note_id = $1 AND links.name NOT LIKE '/notes/%' AND ${permittedSql('$2', 'read')}
  ORDER BY links.name`;

export function createBacklinkStore(sql: Sql): BacklinkStore {
  return {
    list: (noteId, accountId, limit, beforeId) =>
      sql.query<BacklinkRecord>(LIST, [noteId, accountId, limit, beforeId]),
    links: (noteId, accountId) => sql.query<NoteLinkRecord>(LINKS, [noteId, accountId]),
  };
}
