import type { Sql } from '@atrium/service-kit/database';
import { childrenSql, findPath } from './structure.ts';

export interface TreeRecord {
  id: string;
  title: string;
  parentId: string | null;
  position: number;
  hasChildren: boolean;
}

/** The last note of the page before. */
export interface TreePosition {
  position: number;
  id: string;
}

export interface TreeStore {
  /** The children of a note, or the notes without a parent, in their order. */
  list(
    workspaceId: string,
    parentId: string | undefined,
    limit: number,
    after?: TreePosition,
  ): Promise<TreeRecord[]>;
  /** The notes above a note, from the first level on. */
  parents(workspaceId: string, noteId: string): Promise<{ id: string; title: string }[]>;
}

export const treeColumns = `
  notes.id, notes.title, notes.parent_id AS "parentId", notes.position, EXISTS (
    SELECT FROM notes AS below WHERE ${childrenSql('below', 'notes.workspace_id', 'notes.id')}
  ) AS "hasChildren"`;

/** Raw: Prisma has no comparisons of rows, by which a page begins in the index where the one before has ended. */
const LIST = `
  SELECT ${treeColumns} FROM notes WHERE ${childrenSql('notes', '$1', '$2')}
    AND ($3::float8 IS NULL OR (notes.position, notes.id) > ($3, $4))
  ORDER BY notes.position, notes.id LIMIT $5`;

export function createTreeStore(sql: Sql): TreeStore {
  return {
    list: (workspaceId, parentId, limit, after) =>
      sql.query<TreeRecord>(LIST, [workspaceId, parentId, after?.position, after?.id, limit]),
    parents: async (workspaceId, noteId) =>
      (await findPath(sql, workspaceId, noteId)).filter(({ id }) => id !== noteId),
  };
}
