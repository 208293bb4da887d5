import { type Collection, pagesById } from '@atrium/service-kit/account-data';
import type { Database } from '../database.ts';
import { purgeLink } from '../links/purge.ts';

const ROWS_PER_BATCH = 500;

/** Comes first: the links no longer redirect, and no click on them is stored any more. In the order of all locks. */
const DELETE_LINKS = `
  UPDATE links SET owner_id = NULL, url = NULL, deleted_at = now(), purge_at = now()
  WHERE id = ANY (ARRAY(
    SELECT id FROM links WHERE owner_id = $1 ORDER BY id LIMIT ${ROWS_PER_BATCH} FOR UPDATE
  )) RETURNING id, slug`;

/**
 * Deletes every row of an account in batches. Safe to run again after an interruption. Its slugs are kept
 * for 30 days, without the account.
 *
 * @param onSlugsChanged called with the slugs that no longer redirect
 */
export async function eraseAccount(
  database: Database,
  accountId: string,
  onSlugsChanged: (slugs: string[]) => void,
): Promise<void> {
  const linkIds: string[] = [];
  let deleted: { id: string; slug: string }[];
  do {
    deleted = await database.query<{ id: string; slug: string }>(DELETE_LINKS, [accountId]);
    linkIds.push(...deleted.map(({ id }) => id));
    onSlugsChanged(deleted.map(({ slug }) => slug));
  } while (deleted.length > 0);
  const limit = ROWS_PER_BATCH;
  let erased: { count: number };
  do {
    erased = await database.prisma.click.deleteMany({ where: { ownerId: accountId }, limit });
  } while (erased.count > 0);
  // Those of this account, so that nothing is left when this has ended; the purge does it after an interruption.
  for (const id of linkIds) await purgeLink(database, id);
  await database.prisma.owner.deleteMany({ where: { accountId } });
  await database.prisma.idempotencyKey.deleteMany({ where: { accountId } });
}

/** Every link of the account with its clicks and daily totals, for its export. */
export function accountCollections(database: Database, accountId: string): Collection[] {
  return [
    ['links', exportedLinks(database, accountId)],
    ['clicks', exportedClicks(database, accountId)],
    ['dailyClicks', exportedDailyClicks(database, accountId)],
  ];
}

function linksOf(database: Database, ownerId: string) {
  return pagesById(ROWS_PER_BATCH, (page) =>
    database.prisma.link.findMany({
      ...page,
      where: { ...page.where, ownerId },
      omit: { ownerId: true },
    }),
  );
}

async function* exportedLinks(database: Database, ownerId: string) {
  for await (const page of linksOf(database, ownerId)) {
    yield page.map((link) => ({ ...link, clicks: Number(link.clicks) }));
  }
}

/** Without the visitor's user agent: the account owns the click, not the visitor's data. */
async function* exportedClicks(database: Database, ownerId: string) {
  let after: { id: string; clickedAt: Date } | undefined;
  do {
    // By its values: the click itself may have been purged since.
    const later = after && {
      clickedAt: { gte: after.clickedAt },
      OR: [{ clickedAt: { gt: after.clickedAt } }, { id: { gt: after.id } }],
    };
    const page = await database.prisma.click.findMany({
      where: { ownerId, ...later },
      orderBy: [{ clickedAt: 'asc' }, { id: 'asc' }],
      take: ROWS_PER_BATCH,
      select: { id: true, linkId: true, clickedAt: true, isBot: true, referrer: true },
    });
    yield page.map(({ id: _id, ...click }) => click);
    after = page.length < ROWS_PER_BATCH ? undefined : page.at(-1);
  } while (after !== undefined);
}

async function* exportedDailyClicks(database: Database, ownerId: string) {
  for await (const links of linksOf(database, ownerId)) {
    for (const { id: linkId } of links) yield* dailyClicksOf(database, linkId);
  }
}

async function* dailyClicksOf(database: Database, linkId: string) {
  let after: Date | undefined;
  do {
    const page = await database.prisma.dailyClicks.findMany({
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
