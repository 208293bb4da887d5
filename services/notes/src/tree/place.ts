import type { Origin, Sql } from '@atrium/service-kit/database';
import { notFound } from '@atrium/service-kit/http-error';
import type { Database } from '../database.ts';
import { type TreeRecord, treeColumns } from './store.ts';
import {
  assertParent,
  childrenSql,
  findBranch,
  lastPositionSql,
  lockWorkspaceOf,
} from './structure.ts';

interface Place {
  noteId: string;
  accountId: string;
  parentId: string | null;
  /** The sibling before it; null when it is to be the first, undefined the last. */
  after: string | null | undefined;
  origin: Origin;
}

interface Siblings {
  workspaceId: string;
  parentId: string | null;
  /** The note that gets a place among them. */
  noteId: string;
}

const LAST = `SELECT ${lastPositionSql('$1', '$2')} AS position`;

/** Raw: in the transaction that has locked the workspace, as all of these. */
const FIND_GAP = `
  WITH siblings AS NOT MATERIALIZED (
    SELECT id, position FROM notes WHERE ${childrenSql('notes', '$1', '$2')} AND id <> $3
  )
  SELECT (SELECT position FROM siblings WHERE id = $4::text) AS previous, (
    SELECT position FROM siblings
    WHERE $4::text IS NULL OR (position, id) > (SELECT position, id FROM siblings WHERE id = $4)
    ORDER BY position, id LIMIT 1
  ) AS next`;

const RENUMBER = `
  UPDATE notes SET position = numbered.position FROM (
    SELECT id, row_number() OVER (ORDER BY position, id) AS position FROM notes
    WHERE ${childrenSql('notes', '$1', '$2')} AND id <> $3
  ) AS numbered
  WHERE notes.id = numbered.id`;

const PLACE = `
  UPDATE notes SET parent_id = $2, position = $3 WHERE id = $1 AND NOT is_template
  RETURNING ${treeColumns}`;

/**
 * Gives a note another parent, or another place among its siblings. Neither its version nor the time of its change
 * moves: nobody who writes in it is disturbed.
 *
 * @throws HttpError 404 when the workspace has no such note, parent or sibling; 422 when it cannot be below that
 * parent
 */
export function placeNote(
  database: Database,
  { noteId, accountId, parentId, after, origin }: Place,
): Promise<TreeRecord> {
  return database.transaction(origin, async (tx) => {
    const workspaceId = await lockWorkspaceOf(tx, noteId, accountId);
    if (workspaceId === undefined) throw notFound('Note');
    const { ids, levels } = await findBranch(tx, workspaceId, noteId);
    if (ids.length === 0) throw notFound('Note');
    if (parentId !== null) await assertParent(tx, { workspaceId, parentId, noteId, levels });
    const position = await positionOf(tx, { workspaceId, parentId, noteId }, after);
    const [placed] = await tx.query<TreeRecord>(PLACE, [noteId, parentId, position]);
    if (placed === undefined) throw notFound('Note');
    return placed;
  });
}

async function positionOf(
  tx: Sql,
  { workspaceId, parentId, noteId }: Siblings,
  after: string | null | undefined,
): Promise<number> {
  if (after === undefined) {
    const [last] = await tx.query<{ position: number }>(LAST, [workspaceId, parentId]);
    return last?.position ?? 1;
  }
  const findGap = async () => {
    const values = [workspaceId, parentId, noteId, after];
    const [gap] = await tx.query<Gap>(FIND_GAP, values);
    if (after !== null && gap?.previous === null) throw notFound('Sibling');
    return middleOf(gap ?? { previous: null, next: null });
  };
  const position = await findGap();
  if (position !== undefined) return position;
  await tx.query(RENUMBER, [workspaceId, parentId, noteId]);
  return (await findGap()) ?? 0;
}

interface Gap {
  previous: number | null;
  next: number | null;
}

/** Undefined when no number is between them: after about 50 notes at the same place. */
function middleOf({ previous, next }: Gap): number | undefined {
  if (next === null) return (previous ?? 0) + 1;
  if (previous === null) return next - 1;
  const middle = previous + (next - previous) / 2;
  return previous < middle && middle < next ? middle : undefined;
}
