import { newId } from '@atrium/contracts/ids';
import type pg from 'pg';
import type { Subscription } from './environment.ts';

const BATCH = 5_000;
/** Makes a body of about 1 KB. */
export const PADDING = 'x'.repeat(850);

/** Inserts deliveries of one event each, all due now, for the subscriptions in turn. */
export async function seedPending(
  pool: pg.Pool,
  subscriptions: readonly Subscription[],
  count: number,
): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => start + i);
    const rows = numbers.map((n) => {
      const { id, accountId } = subscriptions[n % subscriptions.length] ?? {
        id: '',
        accountId: '',
      };
      const eventId = newId('evt');
      const data = { url: PADDING, referrer: `https://bench.example/?n=${n}` };
      const body = { id: eventId, event: 'go.click', createdAt: new Date().toISOString(), data };
      return { id, accountId, eventId, deliveryId: newId('dlv'), body: JSON.stringify(body) };
    });
    await pool.query(
      `WITH rows AS (
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
           AS r (subscription_id, account_id, event_id, delivery_id, body)
       ), new_events AS (
         INSERT INTO events (id, event, account_id, body)
         SELECT event_id, 'go.click', account_id, body FROM rows
       ), new_deliveries AS (
         INSERT INTO deliveries (id, event_id, subscription_id, event)
         SELECT delivery_id, event_id, subscription_id, 'go.click' FROM rows
       )
       INSERT INTO undelivered (subscription_id, delivery_id, event_id)
       SELECT subscription_id, delivery_id, event_id FROM rows`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.accountId),
        rows.map((row) => row.eventId),
        rows.map((row) => row.deliveryId),
        rows.map((row) => row.body),
      ],
    );
  }
  await pool.query('VACUUM ANALYZE undelivered, deliveries, events');
}

/** Truncates the tables that the benchmarks fill, including subscriptions. */
export async function emptyTables(pool: pg.Pool): Promise<void> {
  await pool.query(
    'TRUNCATE subscriptions, events, deliveries, undelivered, attempts, held_deliveries, namespaces, published_events CASCADE',
  );
  await pool.query('CHECKPOINT');
}
