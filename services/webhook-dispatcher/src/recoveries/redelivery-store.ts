import { MAX_ATTEMPTS_IN_ALL, MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/webhooks/deliveries';
import type { Sql } from '@atrium/service-kit/database';

// All SQL here is raw: row locks, and due times by the clock of Postgres, as leases compare them.

/**
 * `noBody`: its body is no longer stored. `waiting`: it is due or being attempted. `spent`: it has had
 * all possible attempts.
 */
export type RedeliveryResult =
  | { kind: 'queued'; subscriptionId: string }
  | { kind: 'noDelivery' | 'noBody' | 'disabled' | 'waiting' | 'spent' };

// Concurrent redeliveries of one delivery wait here for each other and for a purge.
const LOCK_DELIVERY = `
  SELECT d.subscription_id AS "subscriptionId", d.event_id AS "eventId", s.enabled,
    EXISTS (SELECT 1 FROM events WHERE id = d.event_id) AS "hasBody"
  FROM deliveries d
  JOIN subscriptions s ON s.id = d.subscription_id AND s.account_id = $2 AND s.deleted_at IS NULL
  WHERE d.id = $1 FOR UPDATE OF d`;

// A worker that is recording a success deletes this row: waiting for it lets the next statement count
// its attempt. The time is that after the wait.
const LOCK_UNDELIVERED = `
  SELECT due_at <= clock_timestamp() AS "isDue" FROM undelivered
  WHERE subscription_id = $1 AND delivery_id = $2 FOR UPDATE`;

const MAKE_DUE = `
  INSERT INTO undelivered AS u
    (subscription_id, delivery_id, event_id, due_at, attempt_count, attempts_allowed)
  SELECT $1, $2, $3, now(), made.attempts, made.attempts + ${MAX_DELIVERY_ATTEMPTS}
  FROM (SELECT coalesce(max(number), 0) AS attempts FROM attempts WHERE delivery_id = $2) made
  WHERE made.attempts <= ${MAX_ATTEMPTS_IN_ALL - MAX_DELIVERY_ATTEMPTS}
  ON CONFLICT (subscription_id, delivery_id) DO UPDATE SET due_at = now(),
    postponed_since = NULL, attempts_allowed = u.attempt_count + ${MAX_DELIVERY_ATTEMPTS}
  RETURNING 1`;

/** Makes one delivery due now, with a new set of attempts. Call it in a transaction. */
export async function redeliver(
  tx: Sql,
  deliveryId: string,
  accountId: string,
): Promise<RedeliveryResult> {
  const [delivery] = await tx.query<{
    subscriptionId: string;
    eventId: string;
    enabled: boolean;
    hasBody: boolean;
  }>(LOCK_DELIVERY, [deliveryId, accountId]);
  if (delivery === undefined) return { kind: 'noDelivery' };
  if (!delivery.enabled) return { kind: 'disabled' };
  if (!delivery.hasBody) return { kind: 'noBody' };
  const { subscriptionId, eventId } = delivery;
  const [row] = await tx.query<{ isDue: boolean | null }>(LOCK_UNDELIVERED, [
    subscriptionId,
    deliveryId,
  ]);
  if (row?.isDue === true) return { kind: 'waiting' };
  const queued = await tx.query(MAKE_DUE, [subscriptionId, deliveryId, eventId]);
  return queued.length > 0 ? { kind: 'queued', subscriptionId } : { kind: 'spent' };
}
