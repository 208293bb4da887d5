import { newId } from '@atrium/contracts/ids';
import { Prisma, type PrismaClient } from '../generated/client.ts';

/** Typed queries inside a transaction. */
export type Tx = Prisma.TransactionClient;

export interface LinkRecord {
  id: string;
  slug: string;
  url: string;
  clicks: number;
  createdAt: Date;
}

export type UpdateOutcome =
  | { kind: 'updated'; link: LinkRecord; previousSlug: string }
  | { kind: 'missing' }
  | { kind: 'slug-taken' };

export interface LinkStore {
  /** Null when the slug is taken. */
  create(tx: Tx, ownerId: string, slug: string, url: string): Promise<LinkRecord | null>;
  /** Newest first, only those older than `beforeId` and with `text` in them when it is given. */
  listOwned(
    ownerId: string,
    limit: number,
    filter: { beforeId?: string | undefined; text?: string | undefined },
  ): Promise<LinkRecord[]>;
  isTaken(slug: string): Promise<boolean>;
  findOwned(id: string, ownerId: string): Promise<LinkRecord | null>;
  updateOwned(
    id: string,
    ownerId: string,
    change: { slug?: string | undefined; url?: string | undefined },
  ): Promise<UpdateOutcome>;
  /** Returns the slug that is free now; null when there is no such link. */
  deleteOwned(id: string, ownerId: string): Promise<string | null>;
}

const FIELDS = { id: true, slug: true, url: true, clicks: true, createdAt: true } as const;
const UPDATE_ATTEMPTS = 5;

function isSlugTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

interface LinkRow extends Omit<LinkRecord, 'slug' | 'clicks'> {
  slug: string | null;
  clicks: bigint;
}

/** A deleted link has no slug. */
function toRecords(rows: LinkRow[]): LinkRecord[] {
  return rows.flatMap(({ slug, clicks, ...rest }) =>
    slug === null ? [] : [{ ...rest, slug, clicks: Number(clicks) }],
  );
}

function withText(text: string | undefined): Prisma.LinkWhereInput {
  if (text === undefined) return {};
  // Prisma leaves the wildcards of LIKE as they are.
  const contains = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const found = { contains, mode: 'insensitive' } as const;
  return { OR: [{ slug: found }, { url: found }] };
}

export function createLinkStore(prisma: PrismaClient): LinkStore {
  /** Returns the slug that the update replaced; null when there is no such link. */
  async function update(
    id: string,
    ownerId: string,
    data: Prisma.LinkUpdateManyMutationInput,
  ): Promise<{ row: LinkRow; previousSlug: string } | null> {
    for (let attempt = 1; attempt <= UPDATE_ATTEMPTS; attempt += 1) {
      const where = { id, ownerId };
      const current = await prisma.link.findFirst({
        where: { ...where, slug: { not: null } },
        select: { slug: true },
      });
      if (current === null || current.slug === null) return null;
      const previousSlug = current.slug;
      // Another request may have changed the slug meanwhile: then nothing is updated.
      const [row] = await prisma.link.updateManyAndReturn({
        where: { ...where, slug: previousSlug },
        data,
        select: FIELDS,
      });
      if (row !== undefined) return { row, previousSlug };
    }
    throw new Error(`Link ${id} was changed by other requests ${UPDATE_ATTEMPTS} times`);
  }

  return {
    async create(tx, ownerId, slug, url) {
      // Not an error when the slug is taken, which would end the transaction.
      const rows = await tx.link.createManyAndReturn({
        data: { id: newId('lnk'), ownerId, slug, url },
        select: FIELDS,
        skipDuplicates: true,
      });
      return toRecords(rows)[0] ?? null;
    },
    async listOwned(ownerId, limit, { beforeId, text }) {
      const older = beforeId === undefined ? {} : { id: { lt: beforeId } };
      // Reads only the account's links, by their index.
      const rows = await prisma.link.findMany({
        where: { ownerId, slug: { not: null }, ...older, ...withText(text) },
        orderBy: { id: 'desc' },
        take: limit,
        select: FIELDS,
      });
      return toRecords(rows);
    },
    async isTaken(slug) {
      return (await prisma.link.count({ where: { slug } })) > 0;
    },
    async findOwned(id, ownerId) {
      const row = await prisma.link.findFirst({
        where: { id, ownerId, slug: { not: null } },
        select: FIELDS,
      });
      return toRecords(row === null ? [] : [row])[0] ?? null;
    },
    async updateOwned(id, ownerId, { slug, url }) {
      try {
        const updated = await update(id, ownerId, {
          ...(slug === undefined ? {} : { slug }),
          ...(url === undefined ? {} : { url }),
          updatedAt: new Date(),
        });
        const [link] = toRecords(updated === null ? [] : [updated.row]);
        if (updated === null || link === undefined) return { kind: 'missing' };
        return { kind: 'updated', link, previousSlug: updated.previousSlug };
      } catch (error) {
        if (isSlugTaken(error)) return { kind: 'slug-taken' };
        throw error;
      }
    },
    async deleteOwned(id, ownerId) {
      const deleted = await update(id, ownerId, { slug: null, deletedAt: new Date() });
      return deleted?.previousSlug ?? null;
    },
  };
}
