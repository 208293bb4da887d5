import type { Database } from '@atrium/service-kit/database';
import type { AttemptRecord, Endpoint, LeasedDelivery } from '../sending/deliver.ts';
import { recordAttempts } from './attempt-store.ts';

interface LeasedRow extends Omit<LeasedDelivery, 'leaseId' | 'endpoint'> {
  /** The subscription as it is now; in at least one row of each. */
  endpoint: Endpoint | null;
}

export interface LeaseRequest {
  leaseId: string;
  leaseMs: number;
  limit: number;
  /** How many of its due deliveries each endpoint may get, in the order of their turns. */
  rooms: ReadonlyMap<string, number>;
}

export interface DeliveryStore {
  /** Endpoints behind `after` that have something due, in the order of their ids. */
  dueEndpoints(after: string, limit: number): Promise<string[]>;
  lease(request: LeaseRequest): Promise<LeasedDelivery[]>;
  /** Stores attempts, all delivered or none: see recordAttempts. */
  record(attempts: readonly AttemptRecord[]): Promise<Set<string>>;
  release(deliveries: readonly LeasedDelivery[]): Promise<void>;
}

/** The `Endpoint` of a row of `subscriptions`, in SQL. */
export const ENDPOINT = `
  json_build_object(
    'url', url,
    'sealedSecret', sealed_secret,
    'sealedHeaders', sealed_headers,
    'previousSealedSecret', CASE WHEN previous_secret_until > now() THEN previous_sealed_secret END,
    'serviceSignatureSwitchMs', extract(epoch FROM service_signature_switch_at) * 1000,
    'rateLimitPerSecond', rate_limit_per_second,
    'failingSinceMs', extract(epoch FROM failing_since) * 1000
  )`;

// A skip scan: one probe of undelivered_due_idx per endpoint that has anything outstanding, however
// long its backlog. (https://wiki.postgresql.org/wiki/Loose_indexscan)
const DUE_ENDPOINTS = `
  WITH RECURSIVE endpoints AS (
    (SELECT u.subscription_id, u.due_at FROM undelivered u
     WHERE u.due_at IS NOT NULL AND u.subscription_id > $1
     ORDER BY u.subscription_id, u.due_at LIMIT 1)
    UNION ALL
    SELECT next.subscription_id, next.due_at FROM endpoints e CROSS JOIN LATERAL (
      SELECT u.subscription_id, u.due_at FROM undelivered u
      WHERE u.due_at IS NOT NULL AND u.subscription_id > e.subscription_id
      ORDER BY u.subscription_id, u.due_at LIMIT 1) next
  )
  SELECT e.subscription_id AS id FROM endpoints e JOIN subscriptions s ON s.id = e.subscription_id
  WHERE e.due_at <= now() AND s.enabled AND NOT s.paused AND s.deleted_at IS NULL
  LIMIT $2::int`;

// For each endpoint whose turn it is, at most `room` of its due rows: no backlog is read past its
// share. What other leases hold is stepped over; there are never more of those than windows allow.
// A locked row keeps its place (ctid) until the statement ends, so no index is searched twice. The
// rows of an endpoint come one after another, and only the first brings what is known of it. A row
// whose body is gone is passed over: see missing-bodies.
const LEASE = `
  WITH picked AS (
    SELECT due.*, e.event, e.body, e.request_id,
      CASE WHEN lag(turn.subscription_id) OVER () IS DISTINCT FROM turn.subscription_id
        THEN s.endpoint END AS endpoint
    FROM unnest($1::text[], $2::int[]) AS turn (subscription_id, room)
    CROSS JOIN LATERAL (
      SELECT ${ENDPOINT} AS endpoint
      FROM subscriptions
      WHERE id = turn.subscription_id AND enabled AND NOT paused AND deleted_at IS NULL
      OFFSET 0 -- keeps this a look-up, whatever the planner thinks of the table
    ) s
    CROSS JOIN LATERAL (
      SELECT u.ctid AS place, u.event_id, u.lease_id IS NOT NULL AS taken_over
      FROM undelivered u
      WHERE u.subscription_id = turn.subscription_id AND u.due_at <= now()
        AND (u.leased_until IS NULL OR u.leased_until < now())
      ORDER BY u.due_at
      LIMIT turn.room
      FOR UPDATE SKIP LOCKED
    ) due
    CROSS JOIN LATERAL (
      SELECT event, body, request_id FROM events WHERE id = due.event_id OFFSET 0
    ) e
    LIMIT $3::int
  )
  UPDATE undelivered u SET lease_id = $4::uuid,
    leased_until = now() + $5::int * interval '1 millisecond'
  FROM picked p
  WHERE u.ctid = p.place
  RETURNING u.delivery_id AS id, u.subscription_id AS "subscriptionId", p.event, p.body,
    u.attempt_count AS "attemptCount", u.attempts_allowed AS "attemptsAllowed",
    p.request_id AS "eventRequestId", p.taken_over AS "takenOver", p.endpoint`;

const RELEASE = `
  UPDATE undelivered u SET lease_id = NULL, leased_until = NULL
  FROM unnest($1::text[], $2::text[], $3::uuid[]) AS r (subscription_id, delivery_id, lease_id)
  WHERE u.subscription_id = r.subscription_id AND u.delivery_id = r.delivery_id
    AND u.lease_id = r.lease_id`;

// What every lease looks up, it finds by an index. Left to choose, Postgres may scan or hash whole
// tables whose statistics are a minute old: a batch then costs a hundred times as much.
const LEASING_SETTINGS = [
  'synchronous_commit=off',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_memoize=off',
  'plan_cache_mode=force_generic_plan',
];

/** The same address, for sessions that lease: see createDeliveryStore. */
export function leasingUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options');
  const settings = LEASING_SETTINGS.map((setting) => `-c ${setting}`);
  url.searchParams.set('options', [...(given === null ? [] : [given]), ...settings].join(' '));
  return url.href;
}

/**
 * The statements of the delivery loop.
 *
 * @param leasing a database whose sessions may commit asynchronously: a lease lost in a crash of
 * Postgres only means that the delivery is sent again.
 */
export function createDeliveryStore(
  database: Database,
  leasing: Database = database,
): DeliveryStore {
  return {
    async dueEndpoints(after, limit) {
      const rows = await leasing.query<{ id: string }>(DUE_ENDPOINTS, [after, limit]);
      return rows.map((row) => row.id);
    },
    async lease({ leaseId, leaseMs, limit, rooms }) {
      const rows = await leasing.query<LeasedRow>(LEASE, [
        [...rooms.keys()],
        [...rooms.values()],
        limit,
        leaseId,
        leaseMs,
      ]);
      const endpoints = new Map<string, Endpoint>();
      for (const { subscriptionId, endpoint } of rows) {
        if (endpoint !== null) endpoints.set(subscriptionId, endpoint);
      }
      return rows.flatMap((row) => {
        const endpoint = endpoints.get(row.subscriptionId);
        return endpoint === undefined ? [] : { ...row, leaseId, endpoint };
      });
    },
    record: (attempts) => recordAttempts(database, attempts),
    async release(deliveries) {
      await database.query(RELEASE, [
        deliveries.map((delivery) => delivery.subscriptionId),
        deliveries.map((delivery) => delivery.id),
        deliveries.map((delivery) => delivery.leaseId),
      ]);
    },
  };
}
