import { newId } from '@atrium/contracts/ids';
import type { LinksUsage } from '@atrium/contracts/links';
import { limitOrNull, limitsOf, PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Database, Tx } from '../database.ts';
import { Prisma } from '../generated/client.ts';

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
  /**
   * Counts one more link of an account, which the transaction takes back when it fails. False when the
   * plan allows no more.
   */
  takeSlot(tx: Tx, owner: { id: string; plan: Plan }): Promise<boolean>;
  /** Null when the slug is taken. */
  create(tx: Tx, ownerId: string, slug: string, url: string): Promise<LinkRecord | null>;
  /** @param tx needed inside a transaction, which would wait for a second connection otherwise */
  usage(owner: { id: string; plan: Plan }, tx?: Pick<Tx, 'prisma'>): Promise<LinksUsage['links']>;
  /** Newest first, only those older than `beforeId` when it is given. */
  listOwned(ownerId: string, limit: number, beforeId?: string): Promise<LinkRecord[]>;
  /** Also by a link that was deleted in the last 30 days. */
  isTaken(slug: string): Promise<boolean>;
  findOwned(id: string, ownerId: string): Promise<LinkRecord | null>;
  updateOwned(
    id: string,
    ownerId: string,
    change: { slug?: string | undefined; url?: string | undefined },
  ): Promise<UpdateOutcome>;
  /** Returns the slug that leads nowhere now; null when there is no such link. */
  deleteOwned(id: string, ownerId: string): Promise<string | null>;
}

const FIELDS = { id: true, slug: true, url: true, clicks: true, createdAt: true } as const;
const UPDATE_ATTEMPTS = 5;

/** Raw: locks the owner, so that parallel requests are counted one after another. */
const TAKE_SLOT = `
  INSERT INTO owners AS o (account_id, plan, link_count) VALUES ($1, $2, 1)
  ON CONFLICT (account_id) DO UPDATE SET link_count = o.link_count + 1
  WHERE coalesce(o.link_count < ($3::jsonb ->> o.plan)::bigint, true)
  RETURNING account_id`;

/** Raw: locks the owner before the link, as everything does. Clicks that wait are stored for ten minutes more. */
const DELETE = `
  WITH owner AS (SELECT account_id FROM owners WHERE account_id = $2 FOR UPDATE),
  gone AS (
    UPDATE links SET owner_id = NULL, url = NULL, deleted_at = now(),
      purge_at = now() + interval '10 minutes'
    FROM owner WHERE links.id = $1 AND links.owner_id = owner.account_id
    RETURNING links.slug
  ), counted AS (
    UPDATE owners SET link_count = link_count - 1 FROM gone WHERE account_id = $2
  )
  SELECT slug FROM gone`;

function isSlugTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

interface LinkRow extends Omit<LinkRecord, 'url' | 'clicks'> {
  url: string | null;
  clicks: bigint;
}

/** A deleted link has no target. */
function toRecords(rows: LinkRow[]): LinkRecord[] {
  return rows.flatMap(({ url, clicks, ...rest }) =>
    url === null ? [] : [{ ...rest, url, clicks: Number(clicks) }],
  );
}

export function createLinkStore(database: Database): LinkStore {
  /** Returns the slug that the update replaced; null when there is no such link. */
  async function update(
    id: string,
    ownerId: string,
    data: Prisma.LinkUpdateManyMutationInput,
  ): Promise<{ row: LinkRow; previousSlug: string } | null> {
    for (let attempt = 1; attempt <= UPDATE_ATTEMPTS; attempt += 1) {
      const where = { id, ownerId };
      const current = await database.prisma.link.findFirst({ where, select: { slug: true } });
      if (current === null) return null;
      const previousSlug = current.slug;
      // Another request may have changed the slug meanwhile: then nothing is updated.
      const [row] = await database.prisma.link.updateManyAndReturn({
        where: { ...where, slug: previousSlug },
        data,
        select: FIELDS,
      });
      if (row !== undefined) return { row, previousSlug };
    }
    throw new Error(`Link ${id} was changed by other requests ${UPDATE_ATTEMPTS} times`);
  }

  return {
    async takeSlot(tx, { id, plan }) {
      return (await tx.query(TAKE_SLOT, [id, plan, limitsOf('links')])).length > 0;
    },
    async create(tx, ownerId, slug, url) {
      // Not an error when the slug is taken, which would end the transaction.
      const rows = await tx.prisma.link.createManyAndReturn({
        data: { id: newId('lnk'), ownerId, slug, url },
        select: FIELDS,
        skipDuplicates: true,
      });
      return toRecords(rows)[0] ?? null;
    },
    async usage({ id, plan }, tx = database) {
      const owner = await tx.prisma.owner.findUnique({ where: { accountId: id } });
      // The table allows no other plan.
      const { links: limit } = PLAN_LIMITS[(owner?.plan as Plan | undefined) ?? plan];
      return { used: owner?.linkCount ?? 0, limit: limitOrNull(limit) };
    },
    async listOwned(ownerId, limit, beforeId) {
      const older = beforeId === undefined ? {} : { id: { lt: beforeId } };
      const rows = await database.prisma.link.findMany({
        where: { ownerId, ...older },
        orderBy: { id: 'desc' },
        take: limit,
        select: FIELDS,
      });
      return toRecords(rows);
    },
    async isTaken(slug) {
      return (await database.prisma.link.count({ where: { slug } })) > 0;
    },
    async findOwned(id, ownerId) {
      const row = await database.prisma.link.findFirst({ where: { id, ownerId }, select: FIELDS });
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
      const [gone] = await database.query<{ slug: string }>(DELETE, [id, ownerId]);
      return gone?.slug ?? null;
    },
  };
}
