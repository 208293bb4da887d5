import { type Collection, pagesById } from '@atrium/events/account-data';
import type { PrismaClient } from '../generated/client.ts';

const ROWS_PER_BATCH = 500;

/**
 * Deletes every row of an account in batches. Safe to run again after an interruption.
 *
 * @param onSlugsFreed called with the slugs that no longer redirect
 */
export async function eraseAccount(
  prisma: PrismaClient,
  accountId: string,
  onSlugsFreed: (slugs: string[]) => void,
): Promise<void> {
  await freeSlugs(prisma, accountId, onSlugsFreed);
  const limit = ROWS_PER_BATCH;
  let erased: { count: number };
  do {
    erased = await prisma.click.deleteMany({ where: { link: { ownerId: accountId } }, limit });
  } while (erased.count > 0);
  do {
    // Cascades to clicks that were stored meanwhile.
    erased = await prisma.link.deleteMany({ where: { ownerId: accountId }, limit });
  } while (erased.count > 0);
  await prisma.idempotencyKey.deleteMany({ where: { accountId } });
}

/** Comes first: the links no longer redirect, so no new clicks arrive. */
async function freeSlugs(
  prisma: PrismaClient,
  ownerId: string,
  onSlugsFreed: (slugs: string[]) => void,
): Promise<void> {
  for (;;) {
    const links = await prisma.link.findMany({
      where: { ownerId, slug: { not: null } },
      select: { id: true, slug: true },
      take: ROWS_PER_BATCH,
    });
    if (links.length === 0) return;
    await prisma.link.updateMany({
      where: { id: { in: links.map(({ id }) => id) } },
      data: { slug: null, deletedAt: new Date() },
    });
    onSlugsFreed(links.flatMap(({ slug }) => slug ?? []));
  }
}

/** Every link of the account with its clicks and daily totals, for its export. */
export function accountCollections(prisma: PrismaClient, accountId: string): Collection[] {
  return [
    ['links', exportedLinks(prisma, accountId)],
    ['clicks', exportedClicks(prisma, accountId)],
    ['dailyClicks', exportedDailyClicks(prisma, accountId)],
  ];
}

function linksOf(prisma: PrismaClient, ownerId: string) {
  return pagesById(ROWS_PER_BATCH, (page) =>
    prisma.link.findMany({ ...page, where: { ...page.where, ownerId }, omit: { ownerId: true } }),
  );
}

async function* exportedLinks(prisma: PrismaClient, ownerId: string) {
  for await (const page of linksOf(prisma, ownerId)) {
    yield page.map((link) => ({ ...link, clicks: Number(link.clicks) }));
  }
}

/** Without the visitor's user agent: the account owns the click, not the visitor's data. */
async function* exportedClicks(prisma: PrismaClient, ownerId: string) {
  for await (const links of linksOf(prisma, ownerId)) {
    for (const { id: linkId } of links) yield* clicksOf(prisma, linkId);
  }
}

async function* clicksOf(prisma: PrismaClient, linkId: string) {
  let after: { id: string } | undefined;
  do {
    const page = await prisma.click.findMany({
      where: { linkId },
      orderBy: [{ clickedAt: 'asc' }, { id: 'asc' }],
      take: ROWS_PER_BATCH,
      ...(after === undefined ? {} : { cursor: { id: after.id }, skip: 1 }),
      select: { id: true, linkId: true, clickedAt: true, isBot: true, referrer: true },
    });
    yield page.map(({ id: _id, ...click }) => click);
    after = page.length < ROWS_PER_BATCH ? undefined : page.at(-1);
  } while (after !== undefined);
}

async function* exportedDailyClicks(prisma: PrismaClient, ownerId: string) {
  for await (const links of linksOf(prisma, ownerId)) {
    for (const { id: linkId } of links) yield* dailyClicksOf(prisma, linkId);
  }
}

async function* dailyClicksOf(prisma: PrismaClient, linkId: string) {
  let after: Date | undefined;
  do {
    const page = await prisma.dailyClicks.findMany({
      where: { linkId, ...(after === undefined ? {} : { day: { gt: after } }) },
      orderBy: { day: 'asc' },
      take: ROWS_PER_BATCH,
    });
    yield page.map(({ day, people, bots }) => ({
      linkId,
      day: day.toISOString().slice(0, 10),
      people: Number(people),
      bots: Number(bots),
    }));
    after = page.length < ROWS_PER_BATCH ? undefined : page.at(-1)?.day;
  } while (after !== undefined);
}
