import type { Database } from '@atrium/service-kit/database';
import type { LinkRecord } from './store.ts';

/** A place in the order by clicks: the last link of the page before. */
export interface ClicksPosition {
  clicks: number;
  id: string;
}

interface Search {
  ownerId: string;
  text: string;
  limit: number;
}

/** The index has the expression that is compared. */
const SEARCH = `
  SELECT id, slug, url, clicks::float8 AS clicks, created_at AS "createdAt" FROM links
  WHERE owner_id = $1 AND (slug || E'\\n' || url) ILIKE ANY ($2)`;
const BY_AGE = `${SEARCH} AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`;
const BY_CLICKS = `${SEARCH} AND ($3::text IS NULL OR (links.clicks, id) < ($5::bigint, $3))
  ORDER BY links.clicks DESC, id DESC LIMIT $4`;

/** The text, and what it is in a target that is stored in its encoded form: in the path, or from the host on. */
function spellingsOf(text: string): string[] {
  if (/^[\x21-\x7e]*$/.test(text)) return [text];
  const bare = text.replace(/^https?:\/\//i, '');
  const inPath = URL.parse(`https://h/${bare}`)?.href.slice('https://h/'.length);
  const fromHost = URL.parse(`https://${bare}`)?.href.slice('https://'.length).replace(/\/$/, '');
  return [text, inPath ?? '', fromHost ?? ''].filter((spelling) => spelling !== '');
}

const patternOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

// Not prepared: which index is faster depends on the text, and a prepared plan must not know it.
async function find(
  { pool }: Pick<Database, 'pool'>,
  query: string,
  { ownerId, text, limit }: Search,
  [id, ...rest]: [id: string | undefined, ...rest: unknown[]],
): Promise<LinkRecord[]> {
  const { rows } = await pool.query<LinkRecord>(query, [
    ownerId,
    spellingsOf(text).map(patternOf),
    id ?? null,
    limit,
    ...rest,
  ]);
  return rows;
}

/**
 * The links of an account with a text in their slug or target, in any case and newest first, only those
 * older than `beforeId` when it is given.
 */
export function searchLinks(
  database: Pick<Database, 'pool'>,
  { beforeId, ...search }: Search & { beforeId?: string | undefined },
): Promise<LinkRecord[]> {
  return find(database, BY_AGE, search, [beforeId]);
}

/** The same, the most clicked first. */
export function searchLinksByClicks(
  database: Pick<Database, 'pool'>,
  { after, ...search }: Search & { after?: ClicksPosition | undefined },
): Promise<LinkRecord[]> {
  return find(database, BY_CLICKS, search, [after?.id, after?.clicks ?? null]);
}
