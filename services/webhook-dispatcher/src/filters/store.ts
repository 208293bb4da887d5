import { FILTER_PREVIEW_EVENTS } from '@atrium/contracts/webhooks/filters';
import type { Sql } from '@atrium/service-kit/database';

export interface RecentEvent {
  id: string;
  event: string;
  createdAt: Date;
  body: string;
}

/** The newest of each subscription that are looked at, and of what filters kept from all of them. */
const DELIVERIES_EACH = 100;
const SUBSCRIPTIONS = 100;
const UNMATCHED = 500;
/** Among them may be tests, which nothing has caused. */
const COVERED = 2 * FILTER_PREVIEW_EVENTS;
/** All bodies together at most: the largest have a quarter of a megabyte each. */
const BODIES_MAX_BYTES = 4_000_000;

// Raw: bounded reads by index, as no index has the events of an account.
const RECENT = `
  WITH known AS (
    SELECT d.event_id AS id, d.event FROM (
      SELECT id FROM subscriptions WHERE account_id = $2 AND deleted_at IS NULL
      ORDER BY id = $1 DESC, id DESC LIMIT ${SUBSCRIPTIONS}
    ) s CROSS JOIN LATERAL (
      SELECT event_id, event FROM deliveries
      WHERE subscription_id = s.id ORDER BY id DESC LIMIT ${DELIVERIES_EACH}
    ) d
    UNION (
      SELECT id, event FROM events
      WHERE account_id = $2 AND unmatched_subscription_ids IS NOT NULL
      ORDER BY id DESC LIMIT ${UNMATCHED})
  ), covered AS (
    SELECT known.id FROM known JOIN subscriptions s
      ON s.id = $1 AND s.account_id = $2 AND s.deleted_at IS NULL
    WHERE known.event = ANY(s.events) OR EXISTS (
      SELECT FROM unnest(s.events) pattern
      WHERE right(pattern, 2) = '.*' AND starts_with(known.event, left(pattern, -1)))
    ORDER BY known.id DESC LIMIT ${COVERED}
  ), recent AS (
    SELECT e.id, e.event, e.created_at, e.body,
      sum(octet_length(e.body)) OVER (ORDER BY e.id DESC) AS bytes
    FROM events e JOIN covered USING (id) WHERE e.account_id = $2 AND NOT e.is_test
  )
  SELECT id, event, created_at AS "createdAt", body FROM recent
  WHERE bytes <= ${BODIES_MAX_BYTES} ORDER BY id DESC LIMIT ${FILTER_PREVIEW_EVENTS}`;

/** The newest events of an account that a subscription asks for, whether its filter lets them through or not. */
export function listRecentEvents(
  sql: Sql,
  subscriptionId: string,
  accountId: string,
): Promise<RecentEvent[]> {
  return sql.query<RecentEvent>(RECENT, [subscriptionId, accountId]);
}
