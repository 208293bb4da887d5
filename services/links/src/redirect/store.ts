import type { Sql } from '@atrium/service-kit/database';
import { toHeaderUrl } from '../links/target-url.ts';
import type { Target } from './link-cache.ts';

/** Raw: the redirect is a measured path. */
const FIND = `
  SELECT slug, id AS "linkId", owner_id AS "ownerId", coalesce(plan, 'free') AS "ownerPlan", url
  FROM links LEFT JOIN owners ON account_id = owner_id
  WHERE slug = $1 AND deleted_at IS NULL`;

export async function findTarget(sql: Sql, slug: string): Promise<Target | null> {
  const [target] = await sql.query<Target>(FIND, [slug]);
  if (target === undefined) return null;
  // Targets were once stored as written when only the first character of the host needed encoding.
  return { ...target, url: toHeaderUrl(target.url) };
}
