import { idPattern } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import { linkNamesOf, nameOf } from '../link-names/link-names.ts';

// Raw SQL: part of the writes of a note, and many rows at once. Every writer has locked the search index of the
// workspace before, so that the writers of a workspace wait for each other.

interface LinkingNote {
  id: string;
  workspaceId: string;
  title: string;
  content: string;
}

/** The target of a URL is known at once, that of a title only once the title has been changed. */
const RECORD = `
  WITH gone AS (DELETE FROM note_links WHERE note_id = $1 AND name <> ALL ($3::text[]))
  INSERT INTO note_links (note_id, workspace_id, name, target_id)
  SELECT $1, $2, name, substring(name FROM '^/notes/(${idPattern('note')})$')
  FROM unnest($3::text[]) AS name
  ON CONFLICT (note_id, name) DO NOTHING`;

/** The note of a title is the oldest one that has it: here among the other notes, before this one is renamed. */
const KEEP = `
  WITH names AS (
    SELECT name, (
      SELECT id FROM notes WHERE workspace_id = $2 AND note_name(title) = name AND id <> $1
        AND deleted_at IS NULL AND NOT is_template ORDER BY id LIMIT 1
    ) AS other
    FROM unnest(ARRAY[$3, $4]::text[]) AS name
  )
  UPDATE note_links AS links
  SET target_id = CASE WHEN links.name = $3 THEN least(names.other, $1) ELSE names.other END
  FROM names
  WHERE links.workspace_id = $2 AND links.name = names.name
    AND (links.name = $3 OR names.other IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM notes WHERE id = links.target_id AND workspace_id = $2 AND deleted_at IS NULL)`;

const MOVE = 'UPDATE note_links SET workspace_id = $2 WHERE note_id = ANY ($1)';

/** Records what a new text of a note links to, in the transaction that writes it. */
export async function recordLinks(tx: Sql, note: LinkingNote): Promise<void> {
  await tx.query(RECORD, [note.id, note.workspaceId, linkNamesOf(note.content)]);
}

/** Makes links go on meaning what they meant, in the transaction that has renamed a note. */
export async function keepLinks(tx: Sql, note: LinkingNote, formerTitle: string): Promise<void> {
  const [former, name] = [nameOf(formerTitle), nameOf(note.title)];
  if (former === name) return;
  await tx.query(KEEP, [note.id, note.workspaceId, former, name]);
}

/** Titles that moved notes link to are now those of their new workspace. */
export async function moveLinks(
  tx: Sql,
  noteIds: readonly string[],
  workspaceId: string,
): Promise<void> {
  await tx.query(MOVE, [noteIds, workspaceId]);
}
