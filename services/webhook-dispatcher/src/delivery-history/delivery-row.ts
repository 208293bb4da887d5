import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  MAX_DELIVERY_ATTEMPTS,
} from '@atrium/contracts/webhooks/deliveries';

export const STATE = `
  CASE WHEN u.delivery_id IS NULL THEN 'delivered'
    WHEN u.due_at IS NULL THEN 'exhausted'
    WHEN u.attempt_count = u.attempts_allowed - ${MAX_DELIVERY_ATTEMPTS} THEN 'pending'
    ELSE 'failed' END`;

// A delivered one has no count of its own: it is the number of its last attempt.
export const COLUMNS = `
  d.id, d.subscription_id AS "webhookId", d.event_id AS "eventId", d.event, ${STATE} AS state,
  coalesce(u.attempt_count,
    (SELECT max(a.number) FROM attempts a WHERE a.delivery_id = d.id), 0) AS "attemptCount",
  CASE WHEN u.leased_until > now() THEN NULL ELSE u.due_at END AS "nextAttemptAt",
  (SELECT json_build_object('status', a.status, 'durationMs', a.duration_ms)
    FROM attempts a WHERE a.delivery_id = d.id ORDER BY a.number DESC LIMIT 1) AS "lastAttempt",
  d.created_at AS "createdAt"`;

/** $2 is the account that asks. */
export const OWNED = `
  FROM deliveries d
  JOIN subscriptions s ON s.id = d.subscription_id AND s.account_id = $2 AND s.deleted_at IS NULL
  LEFT JOIN undelivered u ON u.subscription_id = d.subscription_id AND u.delivery_id = d.id`;

export interface DeliveryRow {
  id: string;
  webhookId: string;
  eventId: string;
  event: string;
  state: DeliveryState;
  attemptCount: number;
  nextAttemptAt: Date | null;
  lastAttempt: Delivery['lastAttempt'];
  createdAt: Date;
}

export const ATTEMPT_COLUMNS = `
  a.id, a.number, a.started_at AS "startedAt", a.duration_ms AS "durationMs", a.status, a.error,
  a.response_headers AS "responseHeaders", a.response_excerpt AS "responseExcerpt"`;

export type AttemptRow = Omit<Attempt, 'startedAt'> & { startedAt: Date };

export function toAttempt(row: AttemptRow): Attempt {
  const { id, number, startedAt, durationMs, status, error } = row;
  const { responseHeaders, responseExcerpt } = row;
  const at = startedAt.toISOString();
  return { id, number, startedAt: at, durationMs, status, error, responseHeaders, responseExcerpt };
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhookId,
    eventId: row.eventId,
    event: row.event,
    state: row.state,
    attemptCount: row.attemptCount,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    lastAttempt: row.lastAttempt,
    createdAt: row.createdAt.toISOString(),
  };
}
