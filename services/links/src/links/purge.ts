import type { Database } from '../database.ts';

/** Bounds a statement to a fraction of a second. */
const BATCH_MAX = 2_000;
const LINKS_MAX = 100;

/** Its lock waits for the clicks that are being stored; none are from then on. */
const DUE = `
  SELECT id FROM links WHERE purge_at <= now() ORDER BY purge_at LIMIT ${LINKS_MAX} FOR UPDATE`;

const DELETE_CLICKS = `
  DELETE FROM clicks WHERE id = ANY (ARRAY(
    SELECT id FROM clicks WHERE link_id = $1 LIMIT ${BATCH_MAX}
  )) RETURNING id`;

const DELETE_DAYS = 'DELETE FROM daily_clicks WHERE link_id = $1';
const SET_PURGED = 'UPDATE links SET purge_at = NULL WHERE id = $1 AND purge_at <= now()';

const FREE_SLUGS = `
  DELETE FROM links WHERE id = ANY (ARRAY(
    SELECT id FROM links WHERE deleted_at <= now() - interval '30 days' AND purge_at IS NULL
    ORDER BY deleted_at LIMIT ${LINKS_MAX}
  )) RETURNING id`;

/** Deletes the clicks of deleted links in batches, and the links with their slugs after 30 days. */
export async function purgeDeletedLinks(database: Database, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await database.query<{ id: string }>(DUE);
    for (const { id } of due) await purgeLink(database, id, signal);
    if (due.length < LINKS_MAX) break;
  }
  do signal.throwIfAborted();
  while ((await database.query(FREE_SLUGS)).length === LINKS_MAX);
}

/** Deletes the clicks of one deleted link. */
export async function purgeLink(
  database: Database,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  do signal?.throwIfAborted();
  while ((await database.query(DELETE_CLICKS, [id])).length === BATCH_MAX);
  await database.query(DELETE_DAYS, [id]);
  await database.query(SET_PURGED, [id]);
}
