import type { Sql } from '@atrium/service-kit/database';
import type { Target } from './link-cache.ts';

/** Raw: the redirect is a measured path. */
const FIND = 'SELECT id AS "linkId", owner_id AS "ownerId", url FROM links WHERE slug = $1';

export async function findTarget(sql: Sql, slug: string): Promise<Target | null> {
  const [target] = await sql.query<Target>(FIND, [slug]);
  return target ?? null;
}
