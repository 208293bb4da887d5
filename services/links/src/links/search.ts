import type { Database } from '@atrium/service-kit/database';
import type { LinkRecord } from './store.ts';

/** The index has this expression. */
const SEARCH = `
  SELECT id, slug, url, clicks::float8 AS clicks, created_at AS "createdAt" FROM links
  WHERE owner_id = $1 AND ($2::text IS NULL OR id < $2)
    AND (slug || E'\\n' || url) ILIKE $3
  ORDER BY id DESC LIMIT $4`;

/**
 * The links of an account with a text in their slug or target, in any case and newest first, only those
 * older than `beforeId` when it is given.
 */
export async function searchLinks(
  { pool }: Pick<Database, 'pool'>,
  search: { ownerId: string; text: string; limit: number; beforeId?: string | undefined },
): Promise<LinkRecord[]> {
  const { ownerId, text, limit, beforeId = null } = search;
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  // Not prepared: which index is faster depends on the text, and a prepared plan must not know it.
  const { rows } = await pool.query<LinkRecord>(SEARCH, [ownerId, beforeId, pattern, limit]);
  return rows;
}
