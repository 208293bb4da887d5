// Why it is so: docs/decisions/0001-deliveries-wait-in-postgres.md
import { idBound } from '@atrium/contracts/ids';
import {
  type AccountDeliveriesQuery,
  type DeliveriesQuery,
  type Delivery,
  type DeliveryDetail,
  MAX_ATTEMPTS_IN_ALL,
} from '@atrium/contracts/webhooks/deliveries';
import { decodeCursor, encodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Database, Queries, ReadReplica } from '../database.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  COLUMNS,
  type DeliveryRow,
  OWNED,
  STATE,
  toAttempt,
  toDelivery,
} from './delivery-row.ts';

export interface DeliveryPage {
  data: Delivery[];
  nextCursor: string | null;
}

export interface DeliveryHistory {
  /** Deliveries of all subscriptions of the account, or of the one that the query names. */
  list(accountId: string, query: AccountDeliveriesQuery): Promise<DeliveryPage>;
  /** Undefined when the account has no such subscription. */
  listOf(
    subscriptionId: string,
    accountId: string,
    query: DeliveriesQuery,
  ): Promise<DeliveryPage | undefined>;
  /** The deliveries of these ids that still exist, in the order of their ids. */
  findByIds(ids: readonly string[], accountId: string): Promise<Delivery[]>;
  find(id: string, accountId: string): Promise<DeliveryDetail | undefined>;
}

/**
 * Rows that a page reads, shared by the subscriptions that it covers: more in a second step when the page
 * is not full. Most filters need the first one only.
 */
const READ_STEPS = [1_000, 50_000];
/** Each subscription's share at least. */
const READ_MIN = 20;

// Raw, since Prisma has neither bounded ranges nor the derived state. A page reads a range of an index
// for each subscription, newest first, filters it, and returns where it ends: below the highest end of
// a range rows may be missing, so that is left to the next page. OFFSET 0 keeps the planner to joins by
// primary key: any other could read whole tables.
// In a portal the event is a pattern: all below one name.
// $1 limit, $2 rows of a subscription at most, $3 before this id, $4 from this id, $5 state, $6 event,
// $7 account, $8 subscription or null for all, $9 rows to read.
const isEventSql = (event: string) =>
  `(${event} = $6 OR right($6, 2) = '.*' AND starts_with(${event}, left($6, -1)))`;
const selectPage = (rows: string, condition: string) => `
  WITH owned AS MATERIALIZED (
    SELECT id FROM subscriptions
    WHERE account_id = $7 AND deleted_at IS NULL AND ($8::text IS NULL OR id = $8)
  ), share AS MATERIALIZED (
    SELECT least($2::int, greatest(${READ_MIN}, $9::int / greatest(count(*), 1))) AS rows
    FROM owned
  ), read AS MATERIALIZED (
    SELECT own_rows.* FROM owned CROSS JOIN LATERAL (
      ${rows} LIMIT (SELECT rows FROM share)
    ) own_rows
  ), reached AS (
    SELECT max(ends.id) AS id FROM (
      SELECT min(id) AS id FROM read GROUP BY subscription_id
      HAVING count(*) = (SELECT rows FROM share)
    ) ends
  ), page AS (
    SELECT u.id FROM read u CROSS JOIN reached
    WHERE (reached.id IS NULL OR u.id >= reached.id) AND ${condition}
    ORDER BY u.id DESC LIMIT $1::int
  )
  SELECT delivery.*, reached.id AS reached FROM reached LEFT JOIN LATERAL (
    SELECT ${COLUMNS} FROM page
    CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE id = page.id OFFSET 0) d
    LEFT JOIN LATERAL (
      SELECT * FROM undelivered
      WHERE subscription_id = d.subscription_id AND delivery_id = d.id OFFSET 0
    ) u ON true
  ) delivery ON true
  ORDER BY delivery.id DESC`;

// Row comparisons, so that only the index on both columns fits: the primary key alone would read past
// the deliveries of all other subscriptions.
const ANY_STATE = selectPage(
  `SELECT d.subscription_id, d.id, d.event FROM deliveries d
   WHERE (d.subscription_id, d.id) < (owned.id, $3) AND (d.subscription_id, d.id) >= (owned.id, $4)
   ORDER BY d.subscription_id DESC, d.id DESC`,
  `($6::text IS NULL OR ${isEventSql('u.event')}) AND ($5::text IS NULL OR (
     SELECT 1 FROM undelivered WHERE subscription_id = u.subscription_id AND delivery_id = u.id
   ) IS NULL)`,
);

const undelivered = (range: string) =>
  selectPage(
    `SELECT subscription_id, delivery_id AS id, delivery_id, due_at, attempt_count, attempts_allowed
     FROM undelivered
     WHERE subscription_id = owned.id AND delivery_id < $3 AND delivery_id >= $4 AND ${range}
     ORDER BY delivery_id DESC`,
    `($5::text = 'undelivered' OR $5 = ${STATE})
     AND ($6::text IS NULL OR (SELECT ${isEventSql('d.event')} FROM deliveries d WHERE d.id = u.id))`,
  );

const UNDELIVERED = undelivered('true');
// Its own text, for undelivered_exhausted_idx.
const EXHAUSTED = undelivered('due_at IS NULL');

/** States whose query reads matching rows alone. */
const UNFILTERED = new Set<DeliveriesQuery['state']>([undefined, 'undelivered', 'exhausted']);

const FIND = `
  SELECT ${COLUMNS}, (SELECT body FROM events WHERE id = d.event_id) AS body ${OWNED}
  WHERE d.id = $1`;
const ATTEMPTS = `
  SELECT ${ATTEMPT_COLUMNS} FROM attempts a
  WHERE delivery_id = $1 ORDER BY number LIMIT ${MAX_ATTEMPTS_IN_ALL}`;
const FIND_BY_IDS = `SELECT ${COLUMNS} ${OWNED} WHERE d.id = ANY($1::text[]) ORDER BY d.id`;

/** A row of a page; an empty page is one row of nulls beside `reached`. */
type PageRow = (DeliveryRow | { id: null }) & { reached: string | null };

export function createDeliveryHistory(database: Database, replica: ReadReplica): DeliveryHistory {
  const list: DeliveryHistory['list'] = (accountId, query) =>
    replica.read(accountId, (reads) => readPage(reads, accountId, query));

  return {
    list,

    async listOf(subscriptionId, accountId, query) {
      const where = { id: subscriptionId, accountId, deletedAt: null };
      if ((await database.prisma.subscription.count({ where })) === 0) return undefined;
      return list(accountId, { ...query, webhookId: subscriptionId });
    },

    async findByIds(ids, accountId) {
      return (await database.query<DeliveryRow>(FIND_BY_IDS, [ids, accountId])).map(toDelivery);
    },

    find: (id, accountId) =>
      // The state and the attempts are of the same moment.
      database.snapshot(async (tx) => {
        const values = [id, accountId];
        const [row] = await tx.query<DeliveryRow & { body: string | null }>(FIND, values);
        if (row === undefined) return undefined;
        const attempts = await tx.query<AttemptRow>(ATTEMPTS, [id]);
        return { ...toDelivery(row), body: row.body, attempts: attempts.map(toAttempt) };
      }),
  };
}

async function readPage(
  reads: Pick<Queries, 'query'>,
  accountId: string,
  asked: AccountDeliveriesQuery,
): Promise<DeliveryPage> {
  const { limit, cursor, webhookId = null, state, event } = asked;
  const isFiltered = event !== undefined || !UNFILTERED.has(state);
  const to = idBound('dlv', asked.to === undefined ? Infinity : Date.parse(asked.to));
  const from = idBound('dlv', asked.from === undefined ? 0 : Date.parse(asked.from));
  let before = cursor === undefined ? to : String(decodeCursor(cursor, 1)[0]);
  if (before > to) before = to;
  const data: Delivery[] = [];
  for (const rowsMax of READ_STEPS) {
    const rows = await reads.query<PageRow>(textFor(state), [
      limit + 1 - data.length,
      isFiltered ? rowsMax : limit + 1,
      before,
      from,
      state ?? null,
      event ?? null,
      accountId,
      webhookId,
      rowsMax,
    ]);
    data.push(...rows.flatMap((row) => (row.id === null ? [] : [toDelivery(row)])));
    const reached = rows[0]?.reached ?? null;
    if (data.length > limit || reached === null) {
      return toPage(data, limit, ({ id }) => [id]);
    }
    before = reached;
  }
  return { data, nextCursor: encodeCursor([before]) };
}

function textFor(state: DeliveriesQuery['state']): string {
  if (state === undefined || state === 'delivered') return ANY_STATE;
  return state === 'exhausted' ? EXHAUSTED : UNDELIVERED;
}
