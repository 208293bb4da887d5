import { newId } from '@atrium/contracts/ids';
import type { DeliveryState } from '@atrium/contracts/webhooks/deliveries';
import type { Sql } from '@atrium/service-kit/database';

export interface DeliverySeed {
  subscriptionId: string;
  accountId: string;
  state: DeliveryState;
  event?: string;
  /** When it was created; now by default. */
  createdMs?: number;
  /** Attempts made; as many as its state needs by default. */
  attempts?: number;
}

const ATTEMPTS: Record<DeliveryState, number> = {
  pending: 0,
  failed: 1,
  delivered: 1,
  exhausted: 5,
};

/** Stores a delivery as ingestion and a worker would have left it; `failed` ones are due in an hour. */
export async function seedDelivery(database: Sql, seed: DeliverySeed): Promise<string> {
  const { subscriptionId, accountId, state, event = 'note.shared', createdMs = Date.now() } = seed;
  const attempts = seed.attempts ?? ATTEMPTS[state];
  const eventId = newId('evt', createdMs);
  const id = newId('dlv', createdMs);
  const createdAt = new Date(createdMs);
  await database.query(
    `INSERT INTO events (id, event, account_id, body, created_at) VALUES ($1, $2, $3, '{}', $4)`,
    [eventId, event, accountId, createdAt],
  );
  await database.query(
    `INSERT INTO deliveries (id, event_id, subscription_id, event, created_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [id, eventId, subscriptionId, event, createdAt],
  );
  await database.query(
    `INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status, error)
     SELECT 'att_' || $1 || n, $1, n, $2, 7, CASE WHEN $3 AND n = $4 THEN 200 ELSE 500 END,
       CASE WHEN $3 AND n = $4 THEN NULL ELSE 'status 500' END
     FROM generate_series(1, $4::int) n`,
    [id, createdAt, state === 'delivered', attempts],
  );
  if (state === 'delivered') return id;
  const dueInSeconds = { pending: 0, failed: 3_600, exhausted: null }[state];
  await database.query(
    `INSERT INTO undelivered (subscription_id, delivery_id, event_id, due_at, attempt_count,
       attempts_allowed)
     VALUES ($1, $2, $3, now() + $4::int * interval '1 second', $5::int, greatest(5, $5::int))`,
    [subscriptionId, id, eventId, dueInSeconds, attempts],
  );
  return id;
}
