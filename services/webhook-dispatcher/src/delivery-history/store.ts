import { idBound } from '@atrium/contracts/ids';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryDetail,
  MAX_ATTEMPTS_IN_ALL,
} from '@atrium/contracts/deliveries';
import type { Sql } from '@atrium/service-kit/database';
import { decodeCursor, encodeCursor } from '@atrium/service-kit/pagination';
import type { PrismaClient } from '../generated/client.ts';
import { COLUMNS, type DeliveryRow, OWNED, STATE, toAttempt, toDelivery } from './delivery-row.ts';

export interface DeliveryPage {
  data: Delivery[];
  nextCursor: string | null;
}

export interface DeliveryHistory {
  /** Undefined when the account has no such subscription. */
  list(
    subscriptionId: string,
    accountId: string,
    query: DeliveriesQuery,
  ): Promise<DeliveryPage | undefined>;
  /** Deliveries that are not delivered, of all subscriptions of the account. */
  listUndelivered(accountId: string, query: DeliveriesQuery): Promise<DeliveryPage>;
  /** Those that still exist, in the order of their ids. */
  findByIds(ids: readonly string[], accountId: string): Promise<Delivery[]>;
  find(id: string, accountId: string): Promise<DeliveryDetail | undefined>;
}

/** Rows that a page reads, shared by the subscriptions that it covers. */
const READ_MAX = 2_000;
/** Each subscription's share at least. */
const READ_MIN = 20;

/** The other states are read from an index of their own. */
const FILTERED_STATES = new Set<DeliveriesQuery['state']>(['pending', 'failed', 'delivered']);

// Raw, since Prisma has neither bounded ranges nor the derived state. Both lists read a range of an
// index, newest first, filter it, and return where it ends, so each request reads a bounded number of
// rows. OFFSET 0 keeps the planner to joins by primary key: any other could read whole tables.
// $1 limit, $2 rows to read, $3 before this id, $4 from this id, $5 state, $6 event.
const SELECT_PAGE = `
  SELECT delivery.*, reached.id AS reached FROM reached LEFT JOIN LATERAL (
    SELECT ${COLUMNS} FROM page
    CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE id = page.id OFFSET 0) d
    LEFT JOIN LATERAL (
      SELECT * FROM undelivered
      WHERE subscription_id = d.subscription_id AND delivery_id = d.id OFFSET 0
    ) u ON true
  ) delivery ON true
  ORDER BY delivery.id DESC`;

// $7 subscription. A row comparison, so that only the index on both columns fits: the primary key
// alone would read past the deliveries of all other subscriptions.
const ANY_STATE = `
  WITH read AS MATERIALIZED (
    SELECT d.subscription_id, d.id, d.event FROM deliveries d
    WHERE (d.subscription_id, d.id) < ($7, $3) AND (d.subscription_id, d.id) >= ($7, $4)
    ORDER BY d.subscription_id DESC, d.id DESC LIMIT $2::int
  ), reached AS (
    SELECT CASE WHEN count(*) = $2::int THEN min(id) END AS id FROM read
  ), page AS (
    SELECT d.id FROM read d
    WHERE ($6::text IS NULL OR d.event = $6) AND ($5::text IS NULL OR (
      SELECT 1 FROM undelivered u
      WHERE u.subscription_id = d.subscription_id AND u.delivery_id = d.id) IS NULL)
    ORDER BY d.id DESC LIMIT $1::int + 1
  ) ${SELECT_PAGE}`;

// $7 account, $8 subscription or null for all. Reads a range of each subscription's rows: below the
// highest end of a range rows may be missing, so that is left to the next page.
const undelivered = (condition: string) => `
  WITH owned AS MATERIALIZED (
    SELECT id FROM subscriptions
    WHERE account_id = $7 AND deleted_at IS NULL AND ($8::text IS NULL OR id = $8)
  ), share AS MATERIALIZED (
    SELECT least($2::int, greatest(${READ_MIN}, ${READ_MAX} / greatest(count(*), 1))) AS rows
    FROM owned
  ), read AS MATERIALIZED (
    SELECT own_rows.* FROM owned CROSS JOIN LATERAL (
      SELECT u.subscription_id, u.delivery_id, u.due_at, u.attempt_count, u.attempts_allowed
      FROM undelivered u
      WHERE u.subscription_id = owned.id AND u.delivery_id < $3 AND u.delivery_id >= $4
        AND ${condition}
      ORDER BY u.delivery_id DESC LIMIT (SELECT rows FROM share)
    ) own_rows
  ), reached AS (
    SELECT max(ends.id) AS id FROM (
      SELECT min(delivery_id) AS id FROM read GROUP BY subscription_id
      HAVING count(*) = (SELECT rows FROM share)
    ) ends
  ), page AS (
    SELECT u.delivery_id AS id FROM read u CROSS JOIN reached
    WHERE (reached.id IS NULL OR u.delivery_id >= reached.id)
      AND ($5::text = 'undelivered' OR $5 = ${STATE})
      AND ($6::text IS NULL OR $6 = (SELECT d.event FROM deliveries d WHERE d.id = u.delivery_id))
    ORDER BY u.delivery_id DESC LIMIT $1::int + 1
  ) ${SELECT_PAGE}`;

const UNDELIVERED = undelivered('true');
// Its own text, for undelivered_exhausted_idx.
const EXHAUSTED = undelivered('u.due_at IS NULL');

const FIND = `
  SELECT ${COLUMNS}, (SELECT body FROM events WHERE id = d.event_id) AS body ${OWNED}
  WHERE d.id = $1`;
const FIND_BY_IDS = `SELECT ${COLUMNS} ${OWNED} WHERE d.id = ANY($1::text[]) ORDER BY d.id`;

/** A row of a page; an empty page is one row of nulls beside `reached`. */
type PageRow = (DeliveryRow | { id: null }) & { reached: string | null };

export function createDeliveryHistory(database: Sql, prisma: PrismaClient): DeliveryHistory {
  async function page(text: string, query: DeliveriesQuery, ...last: unknown[]) {
    const { limit, cursor, state, event } = query;
    const before = cursor === undefined ? idBound('dlv', Infinity) : decodeCursor(cursor, 1)[0];
    const to = idBound('dlv', query.to === undefined ? Infinity : Date.parse(query.to));
    const rows = await database.query<PageRow>(text, [
      limit,
      event === undefined && !FILTERED_STATES.has(state) ? limit + 1 : READ_MAX,
      String(before) < to ? String(before) : to,
      idBound('dlv', query.from === undefined ? 0 : Date.parse(query.from)),
      state ?? null,
      event ?? null,
      ...last,
    ]);
    const found = rows.flatMap((row) => (row.id === null ? [] : [toDelivery(row)]));
    const data = found.slice(0, limit);
    const next = found.length > limit ? data.at(-1)?.id : rows[0]?.reached;
    return { data, nextCursor: next ? encodeCursor([next]) : null };
  }

  return {
    async list(subscriptionId, accountId, query) {
      const where = { id: subscriptionId, accountId, deletedAt: null };
      if ((await prisma.subscription.count({ where })) === 0) return undefined;
      const { state } = query;
      if (state === undefined || state === 'delivered') {
        return page(ANY_STATE, query, subscriptionId);
      }
      return page(textFor(state), query, accountId, subscriptionId);
    },

    listUndelivered(accountId, query) {
      return page(textFor(query.state), query, accountId, null);
    },

    async findByIds(ids, accountId) {
      return (await database.query<DeliveryRow>(FIND_BY_IDS, [ids, accountId])).map(toDelivery);
    },

    async find(id, accountId) {
      const [row] = await database.query<DeliveryRow & { body: string | null }>(FIND, [
        id,
        accountId,
      ]);
      if (row === undefined) return undefined;
      const attempts = await prisma.attempt.findMany({
        where: { deliveryId: id },
        orderBy: { number: 'asc' },
        take: MAX_ATTEMPTS_IN_ALL,
        omit: { deliveryId: true },
      });
      return {
        ...toDelivery(row),
        body: row.body,
        attempts: attempts.map(toAttempt),
      };
    },
  };
}

function textFor(state: DeliveriesQuery['state']): string {
  return state === 'exhausted' ? EXHAUSTED : UNDELIVERED;
}
