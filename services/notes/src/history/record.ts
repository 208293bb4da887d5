import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Sql } from '@atrium/service-kit/database';
import { keepReferencedFiles } from '../attachments/references.ts';

// Raw SQL: part of every write of a note, and by the clock of the database.
// The current version of a note, the one that is not superseded, always holds the text of the note.

export interface RecordedText {
  /** The note. */
  id: string;
  title: string;
  content: string;
  tags: string[];
}

/** What one person changes within this time is one version. */
const SESSION_MINUTES = 5;

const CONTINUE = `
  UPDATE versions SET title = $3, content = $4, tags = $5
  WHERE note_id = $1 AND superseded_at IS NULL AND author_id = $2 AND name IS NULL
    AND created_at > clock_timestamp() - make_interval(mins => ${SESSION_MINUTES})
  RETURNING id`;

/** Not now(): it is the same for the whole transaction, which may have waited for the note. */
const BEGIN = `
  WITH superseded AS (
    UPDATE versions SET superseded_at = clock_timestamp()
    WHERE note_id = $2 AND superseded_at IS NULL
      AND ($7 OR (title, content, tags) IS DISTINCT FROM ($4, $5, $6::text[]))
    RETURNING id
  )
  INSERT INTO versions (id, note_id, author_id, title, content, tags, created_at)
  SELECT $1, $2, $3, $4, $5, $6, clock_timestamp()
  WHERE EXISTS (SELECT FROM superseded) OR NOT EXISTS (SELECT FROM versions WHERE note_id = $2)
  RETURNING (SELECT id FROM superseded) AS before`;

/** Never the current version. At most 100, for an owner who has a smaller plan than before. */
const TRIM = `
  WITH plan AS (
    SELECT ($2::jsonb ->> owners.plan)::integer AS versions_max
    FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
      JOIN owners ON owners.account_id = workspaces.owner_id
    WHERE notes.id = $1
  )
  DELETE FROM versions WHERE id = ANY (ARRAY(
    SELECT id FROM plan, (
      SELECT *, count(*) OVER author AS of_author, count(name) OVER author AS named_of_author
      FROM versions WHERE note_id = $1 WINDOW author AS (PARTITION BY author_id)
    ) AS counted
    WHERE superseded_at IS NOT NULL
    ORDER BY name IS NOT NULL AND 2 * named_of_author <= versions_max, of_author DESC,
      name IS NOT NULL, created_at, id
    LIMIT (
      SELECT least(100, greatest(0, count(*) - (SELECT versions_max FROM plan)))
      FROM versions WHERE note_id = $1
    )
  ))`;
const VERSIONS_MAX = Object.fromEntries(
  Object.entries(PLAN_LIMITS).map(([plan, { versionsPerNote }]) => [plan, versionsPerNote]),
);

/**
 * Keeps the new text of a note, in the transaction that writes it and has locked the note: in the current
 * version, or in a new one when that has a name, is older than 5 minutes or by somebody else. What the plan
 * of the workspace's owner does not hold is deleted: the oldest unnamed versions of the author with the most
 * versions go first, so that nobody pushes out what others wrote. Named ones go last, unless their author has
 * named more than half of what the plan holds, so that names cannot do so either.
 *
 * @param beginsVersion whether it must be a new version
 */
export async function recordVersion(
  tx: Sql,
  { id, title, content, tags }: RecordedText,
  authorId: string,
  beginsVersion = false,
): Promise<void> {
  await keepReferencedFiles(tx, { id, content });
  if (!beginsVersion) {
    const continued = await tx.query(CONTINUE, [id, authorId, title, content, tags]);
    if (continued.length > 0) return;
  }
  const values = [newId('ver'), id, authorId, title, content, tags, beginsVersion];
  const [begun] = await tx.query<{ before: string | null }>(BEGIN, values);
  if (begun?.before) await tx.query(TRIM, [id, VERSIONS_MAX]);
}
