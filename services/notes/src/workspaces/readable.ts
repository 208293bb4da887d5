import type { Sql } from '@atrium/service-kit/database';

export interface ReadableWorkspace {
  id: string;
  name: string;
}

/** Raw, as it is part of every search, which is measured. */
const FIND = `
  SELECT id, name FROM workspaces
  WHERE owner_id = $1 AND ($3::text IS NULL OR id = $3) ORDER BY id DESC LIMIT $2`;

/**
 * The workspaces whose notes an account may read, newest first: those that it owns.
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
