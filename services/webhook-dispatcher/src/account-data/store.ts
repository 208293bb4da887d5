import { type Collection, eraseInBatches, pagesOf, pagesWithin } from '@atrium/events/account-data';
import type { Database } from '@atrium/service-kit/database';

const RECORDS_AT_ONCE = 500;

/** First of all: from then on neither intake nor drain finds anything to do for the account. */
const CLOSE_SUBSCRIPTIONS = `
  WITH own AS (
    -- Waits for intakes that are storing deliveries for them; later ones see them closed.
    SELECT id FROM subscriptions WHERE account_id = $1 ORDER BY id FOR UPDATE
  )
  UPDATE subscriptions s SET enabled = false, deleted_at = coalesce(s.deleted_at, now())
  FROM own WHERE s.id = own.id`;

const SUBSCRIPTION_IDS = 'SELECT id FROM subscriptions WHERE account_id = $1 ORDER BY id';

/**
 * Before the attempts, in statements of their own: an attempt that is being stored holds its row
 * here, and what it adds is seen by the statements that follow. Without a row none is added.
 */
const ERASE_WAITING = `
  WITH chosen AS (
    SELECT subscription_id, delivery_id FROM undelivered WHERE subscription_id = $1
    ORDER BY subscription_id, delivery_id LIMIT $2 FOR UPDATE
  )
  DELETE FROM undelivered u USING chosen c
  WHERE u.subscription_id = c.subscription_id AND u.delivery_id = c.delivery_id
  RETURNING u.delivery_id`;

/**
 * Attempts and bodies go with the deliveries that they belong to, in one statement.
 * BETWEEN for the reason that retention gives: the planner keeps to the index on both columns.
 */
const ERASE_DELIVERIES = `
  WITH chosen AS MATERIALIZED (
    SELECT id, event_id FROM deliveries WHERE subscription_id BETWEEN $1 AND $1
    ORDER BY subscription_id, id LIMIT $2 FOR UPDATE
  ), tries AS (
    DELETE FROM attempts a USING chosen c WHERE a.delivery_id = c.id
  ), bodies AS (
    DELETE FROM events e USING chosen c WHERE e.id = c.event_id
  )
  DELETE FROM deliveries d USING chosen c WHERE d.id = c.id RETURNING d.id`;

/**
 * Events whose deliveries went before, with a subscription that the owner deleted. Erasures are
 * rare: walking along the primary key is cheaper than an index that every event would pay for.
 */
const ERASE_EVENTS = `
  WITH looked_at AS MATERIALIZED (
    SELECT id, account_id FROM events WHERE id > $2 ORDER BY id LIMIT $3
  ), gone AS (
    DELETE FROM events e USING looked_at l WHERE e.id = l.id AND l.account_id = $1
  )
  SELECT max(id) AS next FROM looked_at`;
const EVENTS_LOOKED_AT = 5_000;

const ERASE_RECOVERIES = `
  DELETE FROM recoveries r USING subscriptions s
  WHERE s.account_id = $1 AND r.subscription_id = s.id`;

const ERASE_SUBSCRIPTIONS = 'DELETE FROM subscriptions WHERE account_id = $1';

/** The table holds only what could not be read, and the account's id is somewhere in it. */
const ERASE_REJECTED = 'DELETE FROM rejected_events WHERE strpos(payload, $1) > 0';

const WEBHOOKS = `
  SELECT id AS key, id, url, events, description, enabled, disabled_reason AS "disabledReason",
    paused, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM subscriptions WHERE account_id = $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT $3`;

const DELIVERIES = `
  SELECT id AS key, id, subscription_id AS "webhookId", event_id AS "eventId", event,
    created_at AS "createdAt"
  FROM deliveries WHERE subscription_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

/** Removes every row of an account. Being interrupted and called again does no harm. */
export async function eraseAccount(db: Database, accountId: string): Promise<void> {
  await db.query(CLOSE_SUBSCRIPTIONS, [accountId]);
  const subscriptions = await db.query<{ id: string }>(SUBSCRIPTION_IDS, [accountId]);
  for (const { id } of subscriptions) {
    await eraseInBatches(db, ERASE_WAITING, [id]);
    await eraseInBatches(db, ERASE_DELIVERIES, [id]);
  }
  await eraseEvents(db, accountId);
  await db.query(ERASE_REJECTED, [accountId]);
  await db.transaction(async (tx) => {
    await tx.query(ERASE_RECOVERIES, [accountId]);
    await tx.query(ERASE_SUBSCRIPTIONS, [accountId]);
  });
}

async function eraseEvents(db: Database, accountId: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    const values: unknown[] = [accountId, after, EVENTS_LOOKED_AT];
    const steps: { next: string | null }[] = await db.query(ERASE_EVENTS, values);
    after = steps[0]?.next ?? null;
  }
}

/** What this service holds of an account, but for secrets and the bodies of events. */
export function accountCollections(db: Database, accountId: string): Collection[] {
  const webhooks = () => pagesOf(db, WEBHOOKS, accountId, RECORDS_AT_ONCE);
  const deliveries = pagesWithin(webhooks(), (id) => pagesOf(db, DELIVERIES, id, RECORDS_AT_ONCE));
  return [
    ['webhooks', webhooks()],
    ['deliveries', deliveries],
  ];
}
