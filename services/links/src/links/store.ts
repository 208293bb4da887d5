import { newId } from '@atrium/contracts/ids';
import type { Database } from '@atrium/service-kit/database';
import type { PrismaClient } from '../generated/client.ts';

export interface LinkRecord {
  id: string;
  slug: string;
  url: string;
  clicks: number;
  createdAt: Date;
}

export type ChangeOutcome =
  | { kind: 'changed'; link: LinkRecord; previousSlug: string }
  | { kind: 'missing' }
  | { kind: 'slug-taken' };

export interface LinkStore {
  /** Null when the slug is taken. */
  create(ownerId: string, slug: string, url: string): Promise<LinkRecord | null>;
  /** Newest first, only those older than `beforeId` when it is given. */
  listOwned(ownerId: string, limit: number, beforeId?: string): Promise<LinkRecord[]>;
  findOwned(id: string, ownerId: string): Promise<LinkRecord | null>;
  changeOwned(
    id: string,
    ownerId: string,
    change: { slug?: string | undefined; url?: string | undefined },
  ): Promise<ChangeOutcome>;
  /** Returns the slug that is free now; null when there is no such link. */
  deleteOwned(id: string, ownerId: string): Promise<string | null>;
}

const FIELDS = { id: true, slug: true, url: true, clicks: true, createdAt: true } as const;
const RETURNING = `links.id, links.slug, links.url, links.clicks::float8 AS clicks,
  links.created_at AS "createdAt"`;

const CREATE = `
  INSERT INTO links (id, owner_id, slug, url) VALUES ($1, $2, $3, $4)
  ON CONFLICT (slug) DO NOTHING RETURNING ${RETURNING}`;

/** Locks the row first, so that the slug it had is the one that this change replaces. */
const CHANGE = `
  UPDATE links SET slug = coalesce($3, links.slug), url = coalesce($4, links.url),
    updated_at = now()
  FROM (
    SELECT id, slug FROM links
    WHERE id = $1 AND owner_id = $2 AND slug IS NOT NULL FOR UPDATE
  ) AS before
  WHERE links.id = before.id RETURNING ${RETURNING}, before.slug AS "previousSlug"`;

const DELETE = `
  UPDATE links SET slug = NULL, deleted_at = now()
  FROM (
    SELECT id, slug FROM links
    WHERE id = $1 AND owner_id = $2 AND slug IS NOT NULL FOR UPDATE
  ) AS before
  WHERE links.id = before.id RETURNING before.slug AS slug`;

const UNIQUE_VIOLATION = '23505';

function isSlugTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}

interface PrismaLink extends Omit<LinkRecord, 'slug' | 'clicks'> {
  slug: string | null;
  clicks: bigint;
}

/** A link that was deleted between the query and here has no slug any more. */
function toRecords(rows: PrismaLink[]): LinkRecord[] {
  return rows.flatMap(({ slug, clicks, ...rest }) =>
    slug === null ? [] : [{ ...rest, slug, clicks: Number(clicks) }],
  );
}

export function createLinkStore(db: Database, prisma: PrismaClient): LinkStore {
  return {
    async create(ownerId, slug, url) {
      const [row] = await db.query<LinkRecord>(CREATE, [newId('lnk'), ownerId, slug, url]);
      return row ?? null;
    },
    async listOwned(ownerId, limit, beforeId) {
      const older = beforeId === undefined ? {} : { id: { lt: beforeId } };
      const rows = await prisma.link.findMany({
        where: { ownerId, slug: { not: null }, ...older },
        orderBy: { id: 'desc' },
        take: limit,
        select: FIELDS,
      });
      return toRecords(rows);
    },
    async findOwned(id, ownerId) {
      const row = await prisma.link.findFirst({
        where: { id, ownerId, slug: { not: null } },
        select: FIELDS,
      });
      return toRecords(row === null ? [] : [row])[0] ?? null;
    },
    async changeOwned(id, ownerId, { slug, url }) {
      try {
        const [row] = await db.query<LinkRecord & { previousSlug: string }>(CHANGE, [
          id,
          ownerId,
          slug,
          url,
        ]);
        if (row === undefined) return { kind: 'missing' };
        const { previousSlug, ...link } = row;
        return { kind: 'changed', link, previousSlug };
      } catch (error) {
        if (isSlugTaken(error)) return { kind: 'slug-taken' };
        throw error;
      }
    },
    async deleteOwned(id, ownerId) {
      const [row] = await db.query<{ slug: string }>(DELETE, [id, ownerId]);
      return row?.slug ?? null;
    },
  };
}
