import { idPattern } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import { permittedSql } from '../access/permissions.ts';

// Raw: Prisma has no regular expressions.

/** The path of an attachment in the text of a note, as a regular expression of Postgres. */
const ATTACHMENT_IN_TEXT = `/api/attachments/(${idPattern('fil')})`;

const IDS = `regexp_matches(content, '${ATTACHMENT_IN_TEXT}', 'g')`;

/**
 * Attaches files to a workspace, or keeps them there. Those that are found cannot be detached meanwhile, and several
 * transactions may keep a file at once: what is attached and used is only locked in shared mode.
 *
 * @param workspace the parameter with the workspace, such as `$1`
 * @param found selects rows of `attachment_workspaces AS attached`
 */
export const attachSql = (workspace: string, found: string) => `
  WITH found AS (${found} FOR SHARE OF attached), used AS (
    UPDATE attachment_workspaces SET unused_since = NULL
    WHERE workspace_id = ${workspace} AND unused_since IS NOT NULL
      AND attachment_id IN (SELECT attachment_id FROM found)
  )
  INSERT INTO attachment_workspaces (workspace_id, attachment_id)
  SELECT DISTINCT ${workspace}, attachment_id FROM found ON CONFLICT DO NOTHING`;

const KEEP = attachSql(
  '$1',
  `SELECT attached.attachment_id
  FROM attachment_workspaces AS attached JOIN workspaces ON workspaces.id = attached.workspace_id
  WHERE attached.attachment_id IN (SELECT (${IDS})[1] FROM (SELECT $2::text AS content) AS text)
    AND (workspaces.id = $1 OR ${permittedSql('$3', 'read')})`,
);

/**
 * Keeps the files that a note refers to, in the transaction that writes its text: a job may be about to detach them.
 * Files of other workspaces that the author may read are attached to this one too, where a text was pasted that
 * refers to them.
 */
export async function keepReferencedFiles(
  tx: Sql,
  { workspaceId, content }: { workspaceId: string; content: string },
  accountId: string,
): Promise<void> {
  if (!content.includes('/api/attachments/')) return;
  await tx.query(KEEP, [workspaceId, content, accountId]);
}

/** The versions of so many notes are looked through together. */
export const NOTES_PER_PAGE = 20;
/** Each may have half a megabyte. */
const VERSIONS_PER_PAGE = 200;

const FIND_NOTES = `
  SELECT id FROM notes WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT ${NOTES_PER_PAGE}`;

interface Page {
  /** Null when there are no more versions. */
  last: string | null;
  ids: string[];
}

/**
 * The current version holds the text of the note. A text may name 20,000 files that do not exist: only ids of
 * attached ones leave the database.
 */
const FIND_IN_VERSIONS = `
  WITH page AS MATERIALIZED (
    SELECT id, content FROM versions WHERE note_id = ANY ($1) AND id > $2
    ORDER BY id LIMIT ${VERSIONS_PER_PAGE}
  )
  SELECT (SELECT max(id) FROM page) AS last, ARRAY(
    SELECT attachment_id FROM attachment_workspaces WHERE workspace_id = $3 AND attachment_id IN (
      SELECT (${IDS})[1] FROM page WHERE content LIKE '%/api/attachments/%')
  ) AS ids`;

/**
 * The ids of the files of a workspace that some notes refer to, in small statements: they may have gigabytes of
 * text. Notes in the trash and older versions count too: they may be restored.
 */
export async function findFilesOf(
  sql: Sql,
  workspaceId: string,
  noteIds: readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let after: string | null = ''; after !== null;) {
    signal?.throwIfAborted();
    const pages: Page[] = await sql.query(FIND_IN_VERSIONS, [noteIds, after, workspaceId]);
    for (const id of pages.flatMap(({ ids }) => ids)) found.add(id);
    after = pages[0]?.last ?? null;
  }
  return found;
}

/** The same of all notes of a workspace. */
export async function findReferencedFiles(
  sql: Sql,
  workspaceId: string,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let after: string | undefined = ''; after !== undefined;) {
    const notes: { id: string }[] = await sql.query(FIND_NOTES, [workspaceId, after]);
    const noteIds = notes.map(({ id }) => id);
    for (const id of await findFilesOf(sql, workspaceId, noteIds, signal)) found.add(id);
    after = noteIds.at(-1);
  }
  return found;
}
