import { parseTraceparent } from '@atrium/contracts/traceparent';
import type { Tracing } from '@atrium/events/tracing';
import type { Database, Queries } from '../database.ts';
import type { Click } from './click.ts';

export interface ClickStore {
  /**
   * Stores clicks, counts them in total and by day, and appends their events in one transaction. A click
   * that is stored already changes nothing.
   */
  storeAll(clicks: readonly Click[]): Promise<void>;
}

/** Raw: storing clicks is a measured path. Locks in one order, so that processes do not deadlock. */
const LOCK_OWNERS = `
  SELECT account_id FROM owners WHERE account_id = ANY ($1::text[]) ORDER BY account_id FOR UPDATE`;
const LOCK_LINKS = 'SELECT id FROM links WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE';

const STORE = `
  WITH stored AS (
    INSERT INTO clicks (id, link_id, clicked_at, is_bot, referrer, user_agent, owner_id)
    SELECT given.* FROM unnest(
      $1::uuid[], $2::text[], $3::timestamptz[], $4::boolean[], $5::text[], $6::text[], $7::text[]
    ) AS given (id, link_id, clicked_at, is_bot, referrer, user_agent, owner_id)
    JOIN links ON links.id = given.link_id
    WHERE links.deleted_at IS NULL OR links.purge_at > clock_timestamp()
    ON CONFLICT (id) DO NOTHING
    RETURNING id, link_id, clicked_at, is_bot, owner_id
  ), counted_by_day AS (
    INSERT INTO daily_clicks (link_id, day, people, bots)
    SELECT link_id, (clicked_at AT TIME ZONE 'UTC')::date,
      count(*) FILTER (WHERE NOT is_bot), count(*) FILTER (WHERE is_bot)
    FROM stored GROUP BY 1, 2
    ON CONFLICT (link_id, day) DO UPDATE
      SET people = daily_clicks.people + excluded.people, bots = daily_clicks.bots + excluded.bots
  ), counted AS (
    UPDATE links SET clicks = links.clicks + people.clicks
    FROM (SELECT link_id, count(*) AS clicks FROM stored WHERE NOT is_bot GROUP BY link_id)
      AS people
    WHERE links.id = people.link_id
  ), counted_by_owner AS (
    UPDATE owners SET click_count = owners.click_count + by_owner.clicks
    FROM (SELECT owner_id, count(*) AS clicks FROM stored GROUP BY owner_id) AS by_owner
    WHERE owners.account_id = by_owner.owner_id
  )
  SELECT id FROM stored WHERE NOT is_bot`;

function toEvent(click: Click) {
  return {
    event: 'go.click' as const,
    accountId: click.ownerId,
    requestId: click.requestId,
    traceparent: click.traceparent,
    data: {
      linkId: click.linkId,
      slug: click.slug,
      url: click.url,
      clickedAt: new Date(click.clickedAtMs).toISOString(),
      referrer: click.referrer,
      userAgent: click.userAgent,
    },
  };
}

export function createClickStore(database: Database, tracing?: Tracing): ClickStore {
  return {
    async storeAll(clicks) {
      await database.transaction({ job: 'store-clicks' }, async (tx) => {
        await tx.query(LOCK_OWNERS, [[...new Set(clicks.map((click) => click.ownerId))]]);
        await tx.query(LOCK_LINKS, [[...new Set(clicks.map((click) => click.linkId))]]);
        const stored = await tx.query<{ id: string }>(STORE, [
          clicks.map((click) => click.id),
          clicks.map((click) => click.linkId),
          clicks.map((click) => new Date(click.clickedAtMs).toISOString()),
          clicks.map((click) => click.isBot),
          clicks.map((click) => click.referrer),
          clicks.map((click) => click.userAgent),
          clicks.map((click) => click.ownerId),
        ]);
        const newIds = new Set(stored.map((row) => row.id));
        await tx.appendFor(clicks.filter((click) => newIds.has(click.id)).map(toEvent));
      });
      if (tracing !== undefined) recordWaits(tracing, clicks);
    },
  };
}

/** How long clicks were only in memory and in the journal. */
function recordWaits(tracing: Tracing, clicks: readonly Click[]): void {
  const endMs = Date.now();
  for (const { traceparent, clickedAtMs: startMs } of clicks) {
    const parent = parseTraceparent(traceparent);
    tracing.record({ name: 'wait to be stored', kind: 'internal', parent, startMs, endMs });
  }
}

/** Whether the link is one of the account's. */
export async function isOwned(
  { prisma }: Queries,
  where: { id: string; ownerId: string },
): Promise<boolean> {
  return (await prisma.link.count({ where })) > 0;
}

/** The clicks of each day from one day on, without days that have none. */
export function findDays(
  { prisma }: Queries,
  linkId: string,
  from: Date,
): Promise<{ day: Date; people: bigint; bots: bigint }[]> {
  return prisma.dailyClicks.findMany({ where: { linkId, day: { gte: from } } });
}

/** Raw: sums over the links of an account. */
const DAYS_OF_OWNER = `
  SELECT day::timestamp AT TIME ZONE 'UTC' AS day,
    sum(people)::float8 AS people, sum(bots)::float8 AS bots
  FROM daily_clicks JOIN links ON links.id = daily_clicks.link_id
  WHERE links.owner_id = $1 AND day >= $2::date GROUP BY day`;
const BEST_OF_OWNER = `
  SELECT links.id, links.slug, sum(people)::float8 AS people
  FROM daily_clicks JOIN links ON links.id = daily_clicks.link_id
  WHERE links.owner_id = $1 AND day >= $2::date GROUP BY links.id
  HAVING sum(people) > 0 ORDER BY sum(people) DESC, links.id DESC LIMIT 5`;

/** The clicks on all links of an account: in total, of each day from one day on, and the best links since then. */
export async function findOverview(database: Queries, ownerId: string, from: Date) {
  const since = [ownerId, from.toISOString().slice(0, 10)];
  const [{ _sum: sum }, days, best] = await Promise.all([
    database.prisma.link.aggregate({ where: { ownerId }, _sum: { clicks: true } }),
    database.query<{ day: Date; people: number; bots: number }>(DAYS_OF_OWNER, since),
    database.query<{ id: string; slug: string; people: number }>(BEST_OF_OWNER, since),
  ]);
  return { total: Number(sum.clicks ?? 0n), days, best };
}
