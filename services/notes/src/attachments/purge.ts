import type { Logger } from '@atrium/service-kit/logger';
import type { Database } from '../database.ts';
import type { FileStorage } from '../files/storage.ts';
import { findReferencedFiles } from './references.ts';

/** An attachment that no note refers to may have been cut from one, to be pasted into another. */
const UNUSED_DAYS = 7;
const CHECK_EVERY_HOURS = 24;
/** Longer than Postgres may be away while an upload goes on. */
const ABANDONED_HOURS = 1;
const FILES_PER_PAGE = 1000;

export interface PurgeDeps {
  database: Database;
  storage: FileStorage;
  logger: Pick<Logger, 'warn'>;
}

/** Before the check, so that one that fails does not hold up the others. */
const CHOOSE_WORKSPACE = `
  UPDATE attachment_workspaces SET checked_at = now() WHERE workspace_id = (
    SELECT workspace_id FROM attachment_workspaces
    WHERE checked_at < now() - make_interval(hours => $1)
    ORDER BY checked_at LIMIT 1
  ) RETURNING workspace_id AS "workspaceId"`;

const MARK = `
  UPDATE attachment_workspaces SET unused_since =
    CASE WHEN attachment_id = ANY ($2) THEN NULL ELSE coalesce(unused_since, now()) END
  WHERE workspace_id = $1`;

/** Not what a note has begun to refer to since the check: that note has set `unused_since` to null. */
const DETACH_UNUSED = `
  DELETE FROM attachment_workspaces
  WHERE workspace_id = $1 AND unused_since < now() - make_interval(days => $2)`;

const DETACH_ABANDONED = `
  DELETE FROM attachment_workspaces USING attachments
  WHERE attachments.id = attachment_workspaces.attachment_id
    AND attachments.stored_at IS NULL
    AND attachments.leased_until < now() - make_interval(hours => $1)`;

/** Not those of an upload under way: it would store the file afterwards. */
const IS_DETACHED = `
  NOT EXISTS (SELECT FROM attachment_workspaces WHERE attachment_id = attachments.id)
    AND (stored_at IS NOT NULL OR leased_until < now() - make_interval(hours => ${ABANDONED_HOURS}))`;
/** Of one page, however few are detached. */
const FIND_DETACHED = `
  WITH page AS MATERIALIZED (
    SELECT id, stored_at, leased_until FROM attachments WHERE id > $1 ORDER BY id LIMIT $2
  )
  SELECT (SELECT max(id) FROM page) AS last,
    ARRAY(SELECT id FROM page AS attachments WHERE ${IS_DETACHED} ORDER BY id) AS ids`;
const LOCK = 'SELECT FROM attachments WHERE id = $1 FOR UPDATE';
/** Not with LOCK, which does not see what was attached while it waited. */
const CHECK = `SELECT id FROM attachments WHERE id = $1 AND ${IS_DETACHED}`;
const DELETE = 'DELETE FROM attachments WHERE id = $1';

/** Detaches what no note has referred to for a week, and uploads that were never finished. */
export async function detachUnused(deps: PurgeDeps, signal?: AbortSignal): Promise<void> {
  const { database, logger } = deps;
  await database.query(DETACH_ABANDONED, [ABANDONED_HOURS]);
  for (;;) {
    signal?.throwIfAborted();
    const [chosen] = await database.query<{ workspaceId: string }>(CHOOSE_WORKSPACE, [
      CHECK_EVERY_HOURS,
    ]);
    if (chosen === undefined) return;
    const { workspaceId } = chosen;
    try {
      const used = await findReferencedFiles(database, workspaceId, signal);
      await database.query(MARK, [workspaceId, [...used]]);
      await database.query(DETACH_UNUSED, [workspaceId, UNUSED_DAYS]);
    } catch (error) {
      signal?.throwIfAborted();
      logger.warn({ err: error, workspaceId }, 'unused attachments not found, next check in a day');
    }
  }
}

/** Erases a file that is detached: first the content, so that none is left without a row. */
export async function eraseIfDetached(
  { database, storage }: Pick<PurgeDeps, 'database' | 'storage'>,
  id: string,
): Promise<void> {
  await database.transaction({ job: 'erase-files' }, async (tx) => {
    await tx.query(LOCK, [id]);
    const [detached] = await tx.query(CHECK, [id]);
    if (detached === undefined) return;
    await storage.remove(id);
    await tx.query(DELETE, [id]);
  });
}

interface Page {
  /** Null when there are no more attachments. */
  last: string | null;
  ids: string[];
}

/** Erases the files that are detached. One that cannot be erased does not hold up the others. */
export async function eraseDetached(deps: PurgeDeps, signal?: AbortSignal): Promise<void> {
  for (let after: string | null = ''; after !== null;) {
    const pages: Page[] = await deps.database.query(FIND_DETACHED, [after, FILES_PER_PAGE]);
    for (const id of pages.flatMap(({ ids }) => ids)) {
      signal?.throwIfAborted();
      try {
        await eraseIfDetached(deps, id);
      } catch (error) {
        deps.logger.warn(
          { err: error, attachmentId: id },
          'file not erased, next attempt in an hour',
        );
      }
    }
    after = pages[0]?.last ?? null;
  }
}
