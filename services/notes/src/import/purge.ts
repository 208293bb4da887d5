import type { Sql } from '@atrium/service-kit/database';
import type { FileStorage } from '../files/storage.ts';

/** How long the outcome of an import is kept. */
const KEPT_DAYS = 30;
/** Longer than Postgres may be away while an upload goes on. */
const ABANDONED_MINUTES = 5;
const IMPORTS_PER_BATCH = 100;

const FIND = `
  SELECT id FROM imports
  WHERE finished_at < now() - make_interval(days => ${KEPT_DAYS})
    OR (state = 'uploading' AND leased_until < now() - make_interval(mins => ${ABANDONED_MINUTES}))
    OR (workspace_id IS NULL AND state <> 'uploading' AND leased_until < now())
  LIMIT ${IMPORTS_PER_BATCH}`;

/** Whose archives their workers may not have been able to remove. */
const FIND_JUST_FINISHED = `SELECT id FROM imports WHERE finished_at > now() - interval '1 hour'`;

/**
 * Erases imports that are long finished, abandoned, or of a deleted workspace: first their archives. Of those that
 * have just been finished, only the archives.
 */
export async function purgeImports(
  sql: Sql,
  storage: FileStorage,
  signal?: AbortSignal,
): Promise<void> {
  const removeArchives = async (rows: { id: string }[]) => {
    for (const { id } of rows) {
      signal?.throwIfAborted();
      await storage.remove(id);
    }
  };
  for (;;) {
    const rows = await sql.query<{ id: string }>(FIND);
    if (rows.length === 0) break;
    await removeArchives(rows);
    await sql.query('DELETE FROM imports WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
  }
  await removeArchives(await sql.query<{ id: string }>(FIND_JUST_FINISHED));
}

/** Erases those that an account has begun in workspaces of others, with their archives. */
export async function eraseImportsOf(sql: Sql, storage: FileStorage, accountId: string) {
  const rows = await sql.query<{ id: string }>('SELECT id FROM imports WHERE account_id = $1', [
    accountId,
  ]);
  for (const { id } of rows) await storage.remove(id);
  await sql.query('DELETE FROM imports WHERE account_id = $1', [accountId]);
}
