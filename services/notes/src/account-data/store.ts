import { type Collection, eraseInBatches, pagesOf, pagesWithin } from '@atrium/events/account-data';
import type { Database } from '@atrium/service-kit/database';

/** A note may have half a megabyte: few at a time. */
const NOTES_AT_ONCE = 10;
const NOTES_ERASED_AT_ONCE = 50;
const WORKSPACES_AT_ONCE = 200;

/** Locks the workspace before its notes, in the order in which everything else does. */
const ERASE_NOTES = `
  WITH locked AS MATERIALIZED (
    SELECT id FROM workspaces WHERE owner_id = $1 ORDER BY id FOR UPDATE
  ), chosen AS (
    SELECT notes.id FROM notes JOIN locked ON locked.id = notes.workspace_id LIMIT $2
  )
  DELETE FROM notes USING chosen WHERE notes.id = chosen.id RETURNING notes.id`;

/** The owner's row takes what is left with it, so that nothing can come between. */
const ERASE_OWNER = 'DELETE FROM owners WHERE account_id = $1';

const WORKSPACES = `
  SELECT id AS key, id, name, description, note_count AS "noteCount", created_at AS "createdAt",
    updated_at AS "updatedAt"
  FROM workspaces WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

/** In the order of the index on (workspace_id, pinned, id), so that a page costs what it holds. */
const NOTES = `
  SELECT pinned || '/' || id AS key, id, workspace_id AS "workspaceId", title, content, tags, pinned,
    version, shared_at AS "sharedAt", created_at AS "createdAt", updated_at AS "updatedAt"
  FROM notes
  WHERE workspace_id = $1 AND (pinned, id) >
    (CASE WHEN $2 = '' THEN false ELSE split_part($2, '/', 1)::boolean END, split_part($2, '/', 2))
  ORDER BY pinned, id LIMIT $3`;

/** Removes every row of an account. Being interrupted and called again does no harm. */
export async function eraseAccount(db: Database, accountId: string): Promise<void> {
  await eraseInBatches(db, ERASE_NOTES, [accountId], NOTES_ERASED_AT_ONCE);
  await db.query(ERASE_OWNER, [accountId]);
}

/** Everything that an account's owner gave to this service. */
export function accountCollections(db: Database, accountId: string): Collection[] {
  const workspaces = () => pagesOf(db, WORKSPACES, accountId, WORKSPACES_AT_ONCE);
  const notes = pagesWithin(workspaces(), (id) => pagesOf(db, NOTES, id, NOTES_AT_ONCE));
  return [
    ['workspaces', workspaces()],
    ['notes', notes],
  ];
}
