import { type Collection, eraseInBatches, pagesOf, pagesWithin } from '@atrium/events/account-data';
import type { Database } from '@atrium/service-kit/database';

const RECORDS_AT_ONCE = 500;

/** Frees the slugs first: from then on nobody can follow the links, and no new clicks arrive. */
const CLOSE_LINKS = `
  UPDATE links SET slug = NULL, deleted_at = now() FROM (
    SELECT id, slug FROM links WHERE owner_id = $1 AND slug IS NOT NULL
    ORDER BY id LIMIT $2 FOR UPDATE
  ) AS before
  WHERE links.id = before.id RETURNING before.slug`;

/** Link by link along the index on (link_id, clicked_at). */
const ERASE_CLICKS = `
  DELETE FROM clicks WHERE id IN (
    SELECT clicks.id FROM links JOIN clicks ON clicks.link_id = links.id
    WHERE links.owner_id = $1 LIMIT $2
  ) RETURNING id`;

/** A click that was stored meanwhile goes with its link. */
const ERASE_LINKS = `
  DELETE FROM links WHERE id IN (
    SELECT id FROM links WHERE owner_id = $1 ORDER BY id LIMIT $2 FOR UPDATE
  ) RETURNING id`;

const LINKS = `
  SELECT id AS key, id, slug, url, clicks::float8 AS clicks, created_at AS "createdAt",
    updated_at AS "updatedAt", deleted_at AS "deletedAt"
  FROM links WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

/** Without the visitor's user agent: the click is the link owner's, the visitor is not. */
const CLICKS = `
  SELECT clicked_at || '/' || id AS key, link_id AS "linkId", clicked_at AS "clickedAt",
    is_bot AS "isBot", referrer
  FROM clicks
  WHERE link_id = $1 AND (clicked_at, id) > (
    CASE WHEN $2 = '' THEN '-infinity' ELSE split_part($2, '/', 1)::timestamptz END,
    CASE WHEN $2 = '' THEN '00000000-0000-0000-0000-000000000000'
      ELSE split_part($2, '/', 2)::uuid END)
  ORDER BY clicked_at, id LIMIT $3`;

/**
 * Removes every row of an account. Being interrupted and called again does no harm.
 *
 * @param onSlugsFreed told which slugs lead nowhere any more
 */
export async function eraseAccount(
  db: Database,
  accountId: string,
  onSlugsFreed: (slugs: string[]) => void,
): Promise<void> {
  for (;;) {
    const freed = await db.query<{ slug: string }>(CLOSE_LINKS, [accountId, RECORDS_AT_ONCE]);
    if (freed.length === 0) break;
    onSlugsFreed(freed.map(({ slug }) => slug));
  }
  await eraseInBatches(db, ERASE_CLICKS, [accountId]);
  await eraseInBatches(db, ERASE_LINKS, [accountId]);
}

/** Everything that this service holds of an account. */
export function accountCollections(db: Database, accountId: string): Collection[] {
  const links = () => pagesOf(db, LINKS, accountId, RECORDS_AT_ONCE);
  const clicks = pagesWithin(links(), (id) => pagesOf(db, CLICKS, id, RECORDS_AT_ONCE));
  return [
    ['links', links()],
    ['clicks', clicks],
  ];
}
