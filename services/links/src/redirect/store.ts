import type { Sql } from '@atrium/service-kit/database';
import type { Target } from './link-cache.ts';

/** Raw: the redirect is a measured path. */
const FIND = `
  SELECT slug, id AS "linkId", owner_id AS "ownerId", coalesce(plan, 'free') AS "ownerPlan", url
  FROM links LEFT JOIN owners ON account_id = owner_id
  WHERE slug = $1 AND deleted_at IS NULL`;

export async function findTarget(sql: Sql, slug: string): Promise<Target | null> {
  const [target] = await sql.query<Target>(FIND, [slug]);
  return target ?? null;
}
