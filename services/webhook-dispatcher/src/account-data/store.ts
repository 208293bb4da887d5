import { type Collection, eraseInBatches, pagesById } from '@atrium/service-kit/account-data';
import type { Database } from '../database.ts';

const PAGE_SIZE = 500;
const EVENTS_PER_STEP = 5_000;

// Raw: FOR UPDATE in a fixed order. It waits for ingestion that is storing deliveries for these; from
// then on neither ingestion nor a lease finds anything to do for the account.
const CLOSE_SUBSCRIPTIONS = `
  WITH own AS (
    SELECT id FROM subscriptions WHERE account_id = $1 ORDER BY id FOR UPDATE
  )
  UPDATE subscriptions s SET enabled = false, deleted_at = coalesce(s.deleted_at, now())
  FROM own WHERE s.id = own.id`;

// Raw: a locked batch. It comes before the attempts, since an attempt that is being recorded holds
// its row here, and without a row none is added.
const ERASE_UNDELIVERED = `
  WITH batch AS (
    SELECT subscription_id, delivery_id FROM undelivered WHERE subscription_id = $1
    ORDER BY subscription_id, delivery_id LIMIT $2 FOR UPDATE
  )
  DELETE FROM undelivered u USING batch b
  WHERE u.subscription_id = b.subscription_id AND u.delivery_id = b.delivery_id
  RETURNING u.delivery_id`;

// Raw: a locked batch with its attempts and bodies in one statement. BETWEEN keeps the planner to the
// index on both columns, as in retention.
const ERASE_DELIVERIES = `
  WITH batch AS MATERIALIZED (
    SELECT id, event_id FROM deliveries WHERE subscription_id BETWEEN $1 AND $1
    ORDER BY subscription_id, id LIMIT $2 FOR UPDATE
  ), erased_attempts AS (
    DELETE FROM attempts a USING batch b WHERE a.delivery_id = b.id
  ), erased_events AS (
    DELETE FROM events e USING batch b WHERE e.id = b.event_id
  )
  DELETE FROM deliveries d USING batch b WHERE d.id = b.id RETURNING d.id`;

// Raw: a CTE that walks the primary key. For events whose deliveries were purged earlier; erasures are
// rare, so this is cheaper than an index on the account that every event would pay for.
const ERASE_EVENTS = `
  WITH batch AS MATERIALIZED (
    SELECT id, account_id FROM events WHERE id > $2 ORDER BY id LIMIT $3
  ), erased AS (
    DELETE FROM events e USING batch b WHERE e.id = b.id AND b.account_id = $1
  )
  SELECT max(id) AS next FROM batch`;

// Raw: Prisma's `contains` is a LIKE, to which the _ in an id is a wildcard. These payloads could not
// be parsed, so the account's id may be anywhere in them.
const ERASE_REJECTED = 'DELETE FROM rejected_events WHERE strpos(payload, $1) > 0';

// Raw: a batch.
const ERASE_PUBLISHED_IDS = `
  DELETE FROM published_events WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM published_events WHERE namespace = $1 LIMIT $2))
  RETURNING 1`;

// Raw: a batch.
const ERASE_HELD = `
  DELETE FROM held_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM held_deliveries WHERE subscription_id = $1 LIMIT $2))
  RETURNING 1`;

/** Removes every row of an account. Safe to run again after an interruption. */
export async function eraseAccount(database: Database, accountId: string): Promise<void> {
  await database.query(CLOSE_SUBSCRIPTIONS, [accountId]);
  const subscriptions = await database.prisma.subscription.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  for (const { id } of subscriptions) {
    await eraseInBatches(database, ERASE_HELD, [id]);
    await eraseInBatches(database, ERASE_UNDELIVERED, [id]);
    await eraseInBatches(database, ERASE_DELIVERIES, [id]);
  }
  await eraseEvents(database, accountId);
  await database.query(ERASE_REJECTED, [accountId]);
  for (const { id: subscriptionId } of subscriptions) {
    await database.prisma.recovery.deleteMany({ where: { subscriptionId } });
  }
  await database.prisma.subscription.deleteMany({ where: { accountId } });
  await eraseNamespaces(database, accountId);
  await database.prisma.portalSession.deleteMany({ where: { accountId } });
  await database.prisma.owner.deleteMany({ where: { accountId } });
  await database.prisma.idempotencyKey.deleteMany({ where: { accountId } });
}

/** With their event types, and the ids of their events. */
async function eraseNamespaces(database: Database, accountId: string): Promise<void> {
  const namespaces = await database.prisma.namespace.findMany({
    where: { accountId },
    select: { name: true },
  });
  for (const { name } of namespaces) {
    await eraseInBatches(database, ERASE_PUBLISHED_IDS, [name]);
    await database.prisma.namespace.deleteMany({ where: { name } });
  }
}

async function eraseEvents(database: Database, accountId: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    const values: unknown[] = [accountId, after, EVENTS_PER_STEP];
    const steps: { next: string | null }[] = await database.query(ERASE_EVENTS, values);
    after = steps[0]?.next ?? null;
  }
}

/** What this service holds of an account, without secrets and the bodies of events. */
export function accountCollections(database: Database, accountId: string): Collection[] {
  const webhooks = () =>
    pagesById(PAGE_SIZE, ({ where, ...page }) =>
      database.prisma.subscription.findMany({
        ...page,
        where: { ...where, accountId, deletedAt: null },
        select: {
          id: true,
          url: true,
          events: true,
          description: true,
          filter: true,
          enabled: true,
          disabledReason: true,
          paused: true,
          createdAt: true,
          updatedAt: true,
        },
      }),
    );
  return [
    ['webhooks', webhooks()],
    ['deliveries', deliveriesOf(database, webhooks())],
    ['eventTypes', eventTypesOf(database, accountId)],
  ];
}

async function* eventTypesOf(
  database: Database,
  accountId: string,
): AsyncGenerator<readonly object[]> {
  const namespaces = await database.prisma.namespace.findMany({
    where: { accountId },
    select: { name: true },
  });
  for (const { name: namespaceName } of namespaces) {
    yield database.prisma.eventType.findMany({
      where: { namespaceName },
      include: { versions: { omit: { name: true } } },
    });
  }
}

async function* deliveriesOf(
  database: Database,
  webhooks: AsyncIterable<readonly { id: string }[]>,
): AsyncGenerator<readonly object[]> {
  for await (const subscriptions of webhooks) {
    for (const { id: webhookId } of subscriptions) {
      const pages = pagesById(PAGE_SIZE, ({ where, ...rest }) =>
        database.prisma.delivery.findMany({
          ...rest,
          where: { ...where, subscriptionId: webhookId },
          omit: { subscriptionId: true },
        }),
      );
      for await (const page of pages) {
        yield page.map((delivery) => ({ webhookId, ...delivery }));
      }
    }
  }
}
