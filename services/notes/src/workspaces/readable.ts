import type { Sql } from '@atrium/service-kit/database';

export interface ReadableWorkspace {
  id: string;
  name: string;
}

/** Raw, as it is part of every search, which is measured. */
const FIND = `
  SELECT w.id, w.name FROM members m JOIN workspaces w ON w.id = m.workspace_id
  WHERE m.account_id = $1 AND ($3::text IS NULL OR m.workspace_id = $3)
  ORDER BY m.workspace_id DESC LIMIT $2`;

/**
 * The workspaces whose notes an account may read, newest first: those that it owns and those that are shared
 * with it.
 *
 * @param id only this one, if the account may read it
 */
export function findReadableWorkspaces(
  sql: Sql,
  accountId: string,
  limit: number,
  id?: string,
): Promise<ReadableWorkspace[]> {
  return sql.query<ReadableWorkspace>(FIND, [accountId, limit, id]);
}
