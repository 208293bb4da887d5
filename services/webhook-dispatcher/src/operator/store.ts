import type { EndpointFailures, RejectedEvent } from '@atrium/contracts/auth/operator';
import type { Sql } from '@atrium/service-kit/database';
import { WAITING_ENDPOINTS } from '../scheduling/backlog-store.ts';
import { originOf } from '../subscriptions/destination.ts';

// All SQL here is raw: skip scans, limited counts and lateral joins.

const HELD_MAX = 10_000;
const HELD = `SELECT count(*)::int AS count FROM (SELECT 1 FROM held_deliveries LIMIT $1) AS held`;

/** Endpoints with waiting deliveries that are looked at, and as many with exhausted ones. */
const ENDPOINTS_MAX = 500;
const RECENT_DELIVERIES = 100;
const WORST_MAX = 20;

// Deliveries that have failed so far or for good, among the newest of each endpoint.
const WORST = `
  WITH RECURSIVE ${WAITING_ENDPOINTS},
  exhausted AS (
    (SELECT u.subscription_id FROM undelivered u WHERE u.due_at IS NULL
     ORDER BY u.subscription_id LIMIT 1)
    UNION ALL
    SELECT next.subscription_id FROM exhausted e CROSS JOIN LATERAL (
      SELECT u.subscription_id FROM undelivered u
      WHERE u.due_at IS NULL AND u.subscription_id > e.subscription_id
      ORDER BY u.subscription_id LIMIT 1) next
  ), candidates AS (
    (SELECT subscription_id FROM endpoints LIMIT ${ENDPOINTS_MAX})
    UNION (SELECT subscription_id FROM exhausted LIMIT ${ENDPOINTS_MAX})
  )
  SELECT s.id AS "subscriptionId", s.account_id AS "accountId", s.url,
    s.failing_since AS "failingSince", recent.deliveries, recent.failed,
    last.status AS "lastStatus", last.error AS "lastError"
  FROM candidates c
  JOIN subscriptions s ON s.id = c.subscription_id AND s.enabled AND s.listened_at IS NULL
    AND s.deleted_at IS NULL
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS deliveries, count(u.delivery_id)::int AS failed,
      max(u.delivery_id) AS "lastFailed"
    FROM (SELECT id FROM deliveries WHERE subscription_id = s.id
          ORDER BY id DESC LIMIT ${RECENT_DELIVERIES}) d
    LEFT JOIN undelivered u ON u.subscription_id = s.id AND u.delivery_id = d.id
      AND u.attempt_count > 0) recent
  LEFT JOIN LATERAL (
    SELECT status, error FROM attempts WHERE delivery_id = recent."lastFailed"
    ORDER BY number DESC LIMIT 1) last ON true
  WHERE recent.failed > 0
  ORDER BY recent.failed::float8 / recent.deliveries DESC, recent.failed DESC, s.id
  LIMIT ${WORST_MAX}`;

const REJECTED = `
  SELECT seq::text AS seq, event_id AS "eventId", reason, octet_length(payload) AS "sizeBytes",
    rejected_at AS "rejectedAt"
  FROM rejected_events WHERE $1::bigint IS NULL OR seq < $1 ORDER BY seq DESC LIMIT $2`;

type FailuresRow = Omit<EndpointFailures, 'origin' | 'failingSince'> & {
  url: string;
  failingSince: Date | null;
};

/** At most 10,000 are counted. */
export async function countHeldDeliveries(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(HELD, [HELD_MAX]);
  return row?.count ?? 0;
}

/** The endpoints with the highest share of failures, the worst first. */
export async function listWorstEndpoints(sql: Sql): Promise<EndpointFailures[]> {
  const rows = await sql.query<FailuresRow>(WORST);
  return rows.map(({ url, failingSince, ...row }) => ({
    ...row,
    origin: originOf(url) ?? url,
    failingSince: failingSince?.toISOString() ?? null,
  }));
}

/** Rejected events before the one with this number, the newest first. */
export async function listRejectedEvents(
  sql: Sql,
  { beforeSeq, limit }: { beforeSeq: string | null; limit: number },
): Promise<(RejectedEvent & { seq: string })[]> {
  const rows = await sql.query<RejectedEvent & { seq: string; rejectedAt: Date }>(REJECTED, [
    beforeSeq,
    limit,
  ]);
  return rows.map((row) => ({ ...row, rejectedAt: new Date(row.rejectedAt).toISOString() }));
}
