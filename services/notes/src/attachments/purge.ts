import type { Database, Sql } from '@atrium/service-kit/database';
import type { FileStorage } from '../files/storage.ts';

/** An attachment that no note refers to may have been cut from one, to be pasted into another. */
const UNUSED_DAYS = 7;
const CHECK_EVERY_HOURS = 24;
/** Longer than an upload may take. */
const UPLOAD_MAX_HOURS = 1;
const FILES_PER_BATCH = 100;

/** The path of an attachment in the text of a note, as a regular expression of Postgres. */
export const ATTACHMENT_IN_TEXT = '/api/attachments/(fil_[0-9a-z]{26})';

/** Before the check, so that one that fails does not hold up the others. */
const CHOOSE_WORKSPACE = `
  UPDATE attachment_workspaces SET checked_at = now() WHERE workspace_id = (
    SELECT workspace_id FROM attachment_workspaces
    WHERE checked_at < now() - make_interval(hours => $1)
    ORDER BY checked_at LIMIT 1
  ) RETURNING workspace_id AS "workspaceId"`;

/** Notes in the trash and older versions count too: they may be restored. */
const CHECK = `
  WITH used AS MATERIALIZED (
    SELECT DISTINCT found[1] AS id
    FROM (
      SELECT content FROM notes WHERE workspace_id = $1
      UNION ALL
      SELECT v.content FROM versions v JOIN notes n ON n.id = v.note_id WHERE n.workspace_id = $1
    ) AS texts, regexp_matches(content, '${ATTACHMENT_IN_TEXT}', 'g') AS found
  )
  UPDATE attachment_workspaces SET unused_since =
    CASE WHEN attachment_id IN (SELECT id FROM used) THEN NULL ELSE coalesce(unused_since, now()) END
  WHERE workspace_id = $1`;

const DETACH_UNUSED = `
  DELETE FROM attachment_workspaces
  WHERE workspace_id = $1 AND unused_since < now() - make_interval(days => $2)`;

const DETACH_ABANDONED = `
  DELETE FROM attachment_workspaces USING attachments
  WHERE attachments.id = attachment_workspaces.attachment_id
    AND attachments.stored_at IS NULL AND attachments.created_at < now() - make_interval(hours => $1)`;

/** Not those of an upload under way: it would store the file afterwards. */
const FIND_DETACHED = `
  SELECT id FROM attachments
  WHERE NOT EXISTS (SELECT FROM attachment_workspaces WHERE attachment_id = attachments.id)
    AND (stored_at IS NOT NULL OR created_at < now() - make_interval(hours => $1))
  ORDER BY id LIMIT $2`;

/** Detaches what no note has referred to for a week, and uploads that were never finished. */
export async function detachUnused(database: Database, signal?: AbortSignal): Promise<void> {
  await database.query(DETACH_ABANDONED, [UPLOAD_MAX_HOURS]);
  for (;;) {
    signal?.throwIfAborted();
    const [chosen] = await database.query<{ workspaceId: string }>(CHOOSE_WORKSPACE, [
      CHECK_EVERY_HOURS,
    ]);
    if (chosen === undefined) return;
    await database.transaction(async (tx) => {
      await tx.query(CHECK, [chosen.workspaceId]);
      await tx.query(DETACH_UNUSED, [chosen.workspaceId, UNUSED_DAYS]);
    });
  }
}

/** Erases the files that are detached: first the content, so that none is left without a row. */
export async function eraseDetached(
  sql: Sql,
  storage: FileStorage,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const rows = await sql.query<{ id: string }>(FIND_DETACHED, [
      UPLOAD_MAX_HOURS,
      FILES_PER_BATCH,
    ]);
    if (rows.length === 0) return;
    for (const { id } of rows) {
      signal?.throwIfAborted();
      await storage.remove(id);
    }
    await sql.query('DELETE FROM attachments WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
  }
}
