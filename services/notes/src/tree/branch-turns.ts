import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import type { Sql } from '@atrium/service-kit/database';
import { childrenSql } from './structure.ts';

/** Raw: children outside of the trash, or those that went there with their parent. */
const HAS_NOTES_BELOW = `
  SELECT FROM notes AS note WHERE note.id = $1 AND (
    EXISTS (SELECT FROM notes AS below WHERE ${childrenSql('below', 'note.workspace_id', 'note.id')})
    OR EXISTS (SELECT FROM notes AS below WHERE below.workspace_id = note.workspace_id
      AND below.deleted_at = note.deleted_at AND below.parent_id = note.id))`;

export interface BranchTurns {
  /**
   * Runs work on a note with all below it. They may be thousands, which hold a connection and the lock of their
   * workspace for long, so it waits for the account's turn; a note alone does not.
   *
   * @throws HttpError 429 when too much of the account waits, 400 when the client has gone meanwhile
   */
  run<Result>(
    request: Parameters<typeof runInTurn>[1],
    noteId: string,
    work: () => Promise<Result>,
  ): Promise<Result>;
}

export function createBranchTurns(sql: Sql, gate: AccountGate): BranchTurns {
  return {
    async run(request, noteId, work) {
      const hasNotesBelow = (await sql.query(HAS_NOTES_BELOW, [noteId])).length > 0;
      return hasNotesBelow ? runInTurn(gate, request, work) : work();
    },
  };
}
