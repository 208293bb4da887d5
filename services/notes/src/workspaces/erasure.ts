import { eraseActivitiesOf } from '../activity/retention.ts';
import { eraseIfDetached, type PurgeDeps } from '../attachments/purge.ts';
import { eraseNotes } from '../notes/erasure.ts';
import { eraseIndexOf } from '../search-index/orphans.ts';

const WORKSPACES_PER_BATCH = 100;
const FILES_PER_BATCH = 100;

/** Raw: Prisma has no limit for deletions. */
const DETACH_FILES = `
  DELETE FROM attachment_workspaces WHERE workspace_id = $1 AND attachment_id = ANY (ARRAY(
    SELECT attachment_id FROM attachment_workspaces WHERE workspace_id = $1 LIMIT $2
  )) RETURNING attachment_id AS id`;

/** Raw: locks rows. Nobody else can reach them any more, but for a request that was under way. */
const CHOOSE_NOTES = 'SELECT id FROM notes WHERE workspace_id = $1 LIMIT $2 FOR UPDATE';

const FIND_DELETED = `
  SELECT id FROM workspaces WHERE owner_id IS NULL AND id > $1 ORDER BY id LIMIT $2`;

/** Erases what is left of a deleted workspace, in small transactions: it may have millions of rows. */
export async function eraseWorkspace(
  { database, storage }: Pick<PurgeDeps, 'database' | 'storage'>,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  let files: { id: string }[];
  do {
    files = await database.query(DETACH_FILES, [id, FILES_PER_BATCH]);
    for (const file of files) {
      signal?.throwIfAborted();
      await eraseIfDetached({ database, storage }, file.id);
    }
  } while (files.length > 0);
  await eraseNotes(database, CHOOSE_NOTES, [id], signal);
  await eraseActivitiesOf(database, id);
  await eraseIndexOf(database, id);
  await database.query('DELETE FROM workspaces WHERE id = $1 AND owner_id IS NULL', [id]);
}

/** One that cannot be erased does not hold up the others. */
export async function eraseDeletedWorkspaces(deps: PurgeDeps, signal?: AbortSignal): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: { id: string }[] = await deps.database.query(FIND_DELETED, [
      after,
      WORKSPACES_PER_BATCH,
    ]);
    for (const { id } of rows) {
      try {
        await eraseWorkspace(deps, id, signal);
      } catch (error) {
        signal?.throwIfAborted();
        deps.logger.warn(
          { err: error, workspaceId: id },
          'workspace not erased, next attempt later',
        );
      }
    }
    after = rows.at(-1)?.id;
  }
}
