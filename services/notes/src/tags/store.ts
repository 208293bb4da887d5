// Why it is so: docs/decisions/0030-notes-are-organised.md
import type { Origin, Sql } from '@atrium/service-kit/database';
import { permittedSql } from '../access/permissions.ts';
import type { Database } from '../database.ts';
import { updateInIndex } from '../search-index/store.ts';
import { type RecordedText, recordVersion } from '../versions/record.ts';

export interface TagRecord {
  name: string;
  noteCount: number;
}

/** Whose change it is, and of which tag. */
export interface TagChange {
  workspaceId: string;
  accountId: string;
  tag: string;
  origin: Origin;
}

export interface TagStore {
  /** By name, those after `after` when it is given. */
  list(workspaceId: string, limit: number, after?: string): Promise<TagRecord[]>;
  find(workspaceId: string, name: string): Promise<TagRecord>;
  /**
   * Gives every note with the tag another one instead, or none, in small transactions: interrupted, it has
   * changed some notes as a whole and others not at all.
   *
   * @param name null removes the tag
   * @returns what changes the next batch, and says how many notes of it had the tag, with those in the trash and
   * templates
   */
  beginReplacing(change: TagChange, name: string | null): () => Promise<number>;
}

/** For each, the search index is written too; creating a note in the workspace waits for a batch. */
const NOTES_PER_BATCH = 50;

/** Raw: Prisma cannot count the elements of arrays. */
const LIST = `
  SELECT name, count(*)::integer AS "noteCount"
  FROM notes CROSS JOIN unnest(notes.tags) AS tag (name)
  WHERE notes.workspace_id = $1 AND notes.deleted_at IS NULL AND NOT notes.is_template
    AND ($3::text IS NULL OR name COLLATE natural_order > $3)
  GROUP BY name ORDER BY name COLLATE natural_order LIMIT $2`;

const COUNT = `
  SELECT $2::text AS name, count(*)::integer AS "noteCount" FROM notes
  WHERE workspace_id = $1 AND deleted_at IS NULL AND NOT is_template AND tags @> ARRAY[$2]`;

/**
 * Raw: locks the workspace before its notes, as every writer of several notes does, to avoid deadlocks.
 * The time of the last change stays: nobody has written in the notes.
 */
const REPLACE = `
  WITH target AS (
    SELECT id FROM workspaces WHERE id = $1 AND ${permittedSql('$2', 'writeNotes')} FOR UPDATE
  ), chosen AS (
    SELECT notes.id FROM notes JOIN target ON target.id = notes.workspace_id
    WHERE notes.tags @> ARRAY[$3::text] AND notes.id > $5
    ORDER BY notes.id LIMIT ${NOTES_PER_BATCH} FOR UPDATE OF notes
  )
  UPDATE notes SET version = version + 1, tags = CASE
      WHEN $4::text IS NULL OR $4 = ANY (tags) THEN array_remove(tags, $3)
      ELSE array_replace(tags, $3, $4)
    END
  FROM chosen WHERE notes.id = chosen.id
  RETURNING notes.id, notes.workspace_id AS "workspaceId", notes.title, notes.content, notes.tags,
    notes.deleted_at IS NULL AND NOT notes.is_template AS "isIndexed"`;

/** A version that has a name stays as it was named. */
const CONTINUE_VERSIONS = `
  UPDATE versions SET tags = notes.tags FROM notes
  WHERE notes.id = versions.note_id AND versions.note_id = ANY ($1)
    AND versions.superseded_at IS NULL AND versions.name IS NULL
  RETURNING versions.note_id AS id`;

interface ChangedNote extends RecordedText {
  isIndexed: boolean;
}

/** Without a version for each note: nobody has written in it, and a version would store it once more. */
async function followChange(tx: Sql, notes: ChangedNote[], accountId: string): Promise<void> {
  const ids = notes.map(({ id }) => id);
  const continued = await tx.query<{ id: string }>(CONTINUE_VERSIONS, [ids]);
  const withoutName = new Set(continued.map(({ id }) => id));
  for (const note of notes) {
    if (!withoutName.has(note.id)) await recordVersion(tx, note, accountId);
  }
  // Afterwards: every writer locks the storage before the index, to avoid deadlocks.
  for (const note of notes) {
    if (note.isIndexed) await updateInIndex(tx, note);
  }
}

export function createTagStore(database: Database): TagStore {
  return {
    list: (workspaceId, limit, after) =>
      database.query<TagRecord>(LIST, [workspaceId, limit, after]),
    async find(workspaceId, name) {
      const [tag] = await database.query<TagRecord>(COUNT, [workspaceId, name]);
      return tag ?? { name, noteCount: 0 };
    },
    beginReplacing({ workspaceId, accountId, tag, origin }, name) {
      let after = '';
      return async () => {
        const values = [workspaceId, accountId, tag, name, after];
        const ids = await database.transaction(origin, async (tx) => {
          const notes = await tx.query<ChangedNote>(REPLACE, values);
          if (notes.length > 0) await followChange(tx, notes, accountId);
          return notes.map(({ id }) => id);
        });
        after = ids.toSorted().at(-1) ?? after;
        return ids.length;
      };
    },
  };
}
