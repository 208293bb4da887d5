import type { Sql } from '@atrium/service-kit/database';
import { type NoteSummaryRecord, summaryColumns } from '../notes/store.ts';

export interface TemplateStore {
  /** Newest first, only those older than `beforeId` when it is given. */
  list(
    workspaceId: string,
    accountId: string,
    limit: number,
    beforeId?: string,
  ): Promise<NoteSummaryRecord[]>;
}

/** Raw, for the columns that the list of notes has too. */
const LIST = `
  SELECT ${summaryColumns('$2')} FROM notes
  WHERE notes.workspace_id = $1 AND notes.is_template AND notes.deleted_at IS NULL
    AND ($4::text IS NULL OR notes.id < $4)
  ORDER BY notes.id DESC LIMIT $3`;

export function createTemplateStore(sql: Sql): TemplateStore {
  return {
    list: (workspaceId, accountId, limit, beforeId) =>
      sql.query<NoteSummaryRecord>(LIST, [workspaceId, accountId, limit, beforeId]),
  };
}
