import { NOTE_LEVELS_MAX } from '@atrium/contracts/notes/tree';
import type { Sql } from '@atrium/service-kit/database';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { permittedSql } from '../access/permissions.ts';

// Raw SQL throughout: Prisma has neither locks nor recursive queries. What changes the tree of a workspace locks
// the workspace first, so that two changes cannot make a circle of notes.

const LOCK = `
  SELECT id FROM workspaces WHERE id = $1 AND ${permittedSql('$2', 'writeNotes')} FOR UPDATE`;

const LOCK_OF_NOTE = `
  SELECT id FROM workspaces WHERE id = (SELECT workspace_id FROM notes WHERE id = $1)
    AND ${permittedSql('$2', 'writeNotes')} FOR UPDATE`;

/**
 * The condition of the index of the tree: notes that are neither in the trash nor templates.
 *
 * @param parent an expression; null stands for the first level
 */
export const childrenSql = (table: string, workspace: string, parent: string) => `
  ${table}.workspace_id = ${workspace}
  AND coalesce(${table}.parent_id, '') = coalesce(${parent}::text, '')
  AND ${table}.deleted_at IS NULL AND NOT ${table}.is_template`;

/** A position after those of all children of a parent. */
export const lastPositionSql = (workspace: string, parent: string) => `(
  SELECT coalesce(max(siblings.position), 0) + 1 FROM notes AS siblings
  WHERE ${childrenSql('siblings', workspace, parent)})`;

/** The table `branch`, for WITH RECURSIVE: a note and all below it, by levels from 1. */
export const branchSql = (workspace: string, note: string) => `
  branch (id, level) AS (
    SELECT id, 1 FROM notes
    WHERE id = ${note} AND workspace_id = ${workspace} AND deleted_at IS NULL
    UNION ALL
    SELECT notes.id, branch.level + 1 FROM branch JOIN notes
      ON ${childrenSql('notes', workspace, 'branch.id')}
  )`;

const FIND_BRANCH = `
  WITH RECURSIVE ${branchSql('$1', '$2')} SELECT id, level FROM branch ORDER BY level, id`;

const FIND_PATH = `
  WITH RECURSIVE path AS (
    SELECT id, parent_id, title, 1 AS level FROM notes
    WHERE id = $2 AND workspace_id = $1 AND deleted_at IS NULL AND NOT is_template
    UNION ALL
    SELECT notes.id, notes.parent_id, notes.title, path.level + 1
    FROM path JOIN notes ON notes.id = path.parent_id
  )
  SELECT id, title FROM path ORDER BY level DESC`;

/** @returns whether there is such a workspace in which the account may write */
export async function lockWorkspace(tx: Sql, id: string, accountId: string): Promise<boolean> {
  return (await tx.query(LOCK, [id, accountId])).length > 0;
}

/** @returns the id of the workspace of a note; undefined when the account may not write in it */
export async function lockWorkspaceOf(
  tx: Sql,
  noteId: string,
  accountId: string,
): Promise<string | undefined> {
  return (await tx.query<{ id: string }>(LOCK_OF_NOTE, [noteId, accountId]))[0]?.id;
}

export interface Branch {
  /** A note and all below it, parents before their children; none when there is no such note. */
  ids: string[];
  levels: number;
}

export async function findBranch(sql: Sql, workspaceId: string, noteId: string): Promise<Branch> {
  const rows = await sql.query<{ id: string; level: number }>(FIND_BRANCH, [workspaceId, noteId]);
  return { ids: rows.map(({ id }) => id), levels: rows.at(-1)?.level ?? 0 };
}

/** The notes from the first level to this one; none when it cannot be a parent in the workspace. */
export function findPath(
  sql: Sql,
  workspaceId: string,
  noteId: string,
): Promise<{ id: string; title: string }[]> {
  return sql.query(FIND_PATH, [workspaceId, noteId]);
}

/**
 * Checks that a note can go below another, in a transaction that has locked the workspace.
 *
 * @param place.noteId undefined for a new note
 * @param place.levels how many the note has with those below it
 * @throws HttpError 404 when there is no such parent in the workspace; 422 when it is the note itself or below
 * it, or the tree would be too deep
 */
export async function assertParent(
  tx: Sql,
  place: { workspaceId: string; parentId: string; noteId?: string; levels?: number },
): Promise<void> {
  const { workspaceId, parentId, noteId, levels = 1 } = place;
  const path = await findPath(tx, workspaceId, parentId);
  if (path.length === 0) throw notFound('Parent');
  if (path.some(({ id }) => id === noteId)) throw new HttpError('parent-is-below');
  if (path.length + levels > NOTE_LEVELS_MAX) throw new HttpError('too-deep');
}
