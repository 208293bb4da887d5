import { newId } from '@atrium/contracts/ids';
import { limitsOf } from '@atrium/contracts/plan-limits';
import type { Sql } from '@atrium/service-kit/database';

// Raw SQL: part of every write of a note, and by the clock of the database.
// The current version of a note, the one that is not superseded, always holds the text of the note.

export interface RecordedText {
  /** The note. */
  id: string;
  workspaceId: string;
  title: string;
  content: string;
  tags: string[];
}

/** What one person changes within this time is one version. */
const SESSION_MINUTES = 5;

/**
 * The version that the author has begun last becomes the current one again when somebody else has written in
 * between, so that two who take turns have one each, with what they saved last. Only when they have done no more
 * than insert text at one place since: what they have removed may be in that version only. Nor when it has got a
 * name, also just now.
 */
const CONTINUE = `
  WITH latest AS (
    SELECT id, name, content, begun_at, superseded_at FROM versions
    WHERE note_id = $1 AND author_id = $2
      AND created_at > clock_timestamp() - make_interval(mins => ${SESSION_MINUTES})
    ORDER BY created_at DESC, id DESC LIMIT 1
  ), begun AS (
    SELECT id FROM latest
    WHERE name IS NULL AND begun_at > clock_timestamp() - make_interval(mins => ${SESSION_MINUTES})
      AND (superseded_at IS NULL OR EXISTS (
        SELECT FROM versions AS current CROSS JOIN LATERAL (
          SELECT convert_to(latest.content, 'UTF8') AS before, convert_to(current.content, 'UTF8') AS after
        ) AS bytes CROSS JOIN LATERAL (SELECT common_start(before, after) AS alike) AS start
        WHERE note_id = $1 AND superseded_at IS NULL
          AND (title, content, tags) IS DISTINCT FROM ($3, $4, $5::text[])
          AND length(after) >= length(before)
          AND substring(before FROM alike + 1)
            = substring(after FROM length(after) - length(before) + alike + 1)
      ))
  ), superseded AS (
    UPDATE versions SET superseded_at = clock_timestamp() FROM begun
    WHERE note_id = $1 AND superseded_at IS NULL AND versions.id <> begun.id
  )
  UPDATE versions SET title = $3, content = $4, tags = $5, superseded_at = NULL,
    created_at = CASE WHEN superseded_at IS NULL THEN created_at ELSE clock_timestamp() END
  FROM begun WHERE versions.id = begun.id AND versions.name IS NULL
  RETURNING versions.id`;

/**
 * A version that must be a new one ends the one before, which its author would continue otherwise. Not now(): it is
 * the same for the whole transaction, which may have waited for the note.
 */
const BEGIN = `
  WITH superseded AS (
    UPDATE versions SET superseded_at = clock_timestamp(),
      begun_at = CASE WHEN $7 THEN begun_at - make_interval(mins => ${SESSION_MINUTES}) ELSE begun_at END
    WHERE note_id = $2 AND superseded_at IS NULL
      AND ($7 OR (title, content, tags) IS DISTINCT FROM ($4, $5, $6::text[]))
    RETURNING id
  )
  INSERT INTO versions (id, note_id, author_id, title, content, tags, begun_at, created_at)
  SELECT $1, $2, $3, $4, $5, $6, clock_timestamp(), clock_timestamp()
  WHERE EXISTS (SELECT FROM superseded) OR NOT EXISTS (SELECT FROM versions WHERE note_id = $2)
  RETURNING (SELECT id FROM superseded) AS before`;

/** Never the current version. At most 100, for an owner who has a smaller plan than before. */
const TRIM = `
  WITH plan AS (
    SELECT ($3::jsonb ->> owners.plan)::integer AS versions_max
    FROM workspaces JOIN owners ON owners.account_id = workspaces.owner_id WHERE workspaces.id = $4
  )
  DELETE FROM versions WHERE id = ANY (ARRAY(
    SELECT id FROM versions WHERE note_id = $1 AND author_id = $2 AND superseded_at IS NOT NULL
    ORDER BY name IS NOT NULL, created_at, id
    LIMIT (
      SELECT least(100, greatest(0, count(*) - (SELECT versions_max FROM plan)))
      FROM versions WHERE note_id = $1 AND author_id = $2
    )
  ))`;

/**
 * Keeps the new text of a note, in the transaction that writes it and has locked the note: in the version that
 * its author has begun last, or in a new one when that has a name or was begun 5 minutes ago. Of each author, a
 * note has as many versions as the plan of the workspace's owner says: the author's oldest ones go, those with a
 * name last, so that nobody pushes out what others wrote.
 *
 * @param beginsVersion whether it must be a new version
 */
export async function recordVersion(
  tx: Sql,
  note: RecordedText,
  authorId: string,
  beginsVersion = false,
): Promise<void> {
  const { id, workspaceId, title, content, tags } = note;
  const continued = beginsVersion
    ? []
    : await tx.query(CONTINUE, [id, authorId, title, content, tags]);
  if (continued.length === 0) {
    const values = [newId('ver'), id, authorId, title, content, tags, beginsVersion];
    const [begun] = await tx.query<{ before: string | null }>(BEGIN, values);
    if (begun?.before)
      await tx.query(TRIM, [id, authorId, limitsOf('versionsPerNote'), workspaceId]);
  }
}
