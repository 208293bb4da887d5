import type { Database } from '@atrium/service-kit/database';
import type { DeliveryState } from '@atrium/contracts/webhooks';

/** A due delivery that this worker alone may attempt until its lease ends. */
export interface LeasedDelivery {
  id: string;
  leaseId: string;
  subscriptionId: string;
  event: string;
  body: string;
  url: string;
  sealedSecret: string;
  /** Custom headers, encrypted; null when the owner has set none. */
  sealedHeaders: string | null;
  /** The secret before the last rotation, while receivers may still use it. */
  previousSealedSecret: string | null;
  /** Until then Service-Signature is still made with the previous secret. */
  serviceSignatureSwitchAt: Date | null;
  /** Attempts made before this one, in all and in the present budget. */
  attemptCount: number;
  /** The attempt at which the present budget ends. */
  attemptsAllowed: number;
  eventRequestId: string | null;
  rateLimitPerSecond: number | null;
  /** An earlier lease ran out without a result: this attempt may be made a second time. */
  takenOver: boolean;
  /** The first failure since the endpoint's last success; null while it answers well. */
  failingSince: Date | null;
}

export interface LeaseRequest {
  leaseId: string;
  leaseMs: number;
  limit: number;
  /** How many of its due deliveries each endpoint may get, in the order of their turns. */
  rooms: ReadonlyMap<string, number>;
}

export interface AttemptRecord {
  attemptId: string;
  deliveryId: string;
  subscriptionId: string;
  leaseId: string;
  number: number;
  /** Unix time in milliseconds. */
  startedMs: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  responseExcerpt: string | null;
  state: DeliveryState;
  /** Set when the state is `failed`. */
  nextAttemptInMs: number | null;
  /** The endpoint is gone for good: disable its subscription, for this reason. */
  disableReason: string | null;
}

export interface DeliveryStore {
  /** Endpoints behind `after` that have something due, in the order of their ids. */
  dueEndpoints(after: string, limit: number): Promise<string[]>;
  lease(request: LeaseRequest): Promise<LeasedDelivery[]>;
  /** Answers the ids of the deliveries whose attempt was stored: not those that came too late. */
  record(attempts: readonly AttemptRecord[]): Promise<Set<string>>;
  release(deliveries: readonly LeasedDelivery[]): Promise<void>;
}

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
// A locked row keeps its place (ctid) until the statement ends, so no index is searched twice.
const LEASE = `
  WITH picked AS (
    SELECT due.*, s.*
    FROM unnest($1::text[], $2::int[]) AS turn (subscription_id, room)
    CROSS JOIN LATERAL (
      SELECT url, sealed_secret, sealed_headers, rate_limit_per_second, failing_since,
        CASE WHEN previous_secret_until > now() THEN previous_sealed_secret END AS previous_secret,
        service_signature_switch_at
      FROM subscriptions
      WHERE id = turn.subscription_id AND enabled AND NOT paused AND deleted_at IS NULL
      OFFSET 0 -- keeps this a look-up for each turn, whatever the planner thinks of the table
    ) s
    CROSS JOIN LATERAL (
      SELECT u.ctid AS place, u.lease_id IS NOT NULL AS taken_over
      FROM undelivered u
      WHERE u.subscription_id = turn.subscription_id AND u.due_at <= now()
        AND (u.leased_until IS NULL OR u.leased_until < now())
      ORDER BY u.due_at
      LIMIT turn.room
      FOR UPDATE SKIP LOCKED
    ) due
    LIMIT $3::int
  )
  UPDATE undelivered u SET lease_id = $4::uuid,
    leased_until = now() + $5::int * interval '1 millisecond'
  FROM picked p, events e
  WHERE u.ctid = p.place AND e.id = u.event_id
  RETURNING u.delivery_id AS id, u.lease_id AS "leaseId", u.subscription_id AS "subscriptionId",
    e.event, e.body, p.url, p.sealed_secret AS "sealedSecret",
    p.sealed_headers AS "sealedHeaders", p.previous_secret AS "previousSealedSecret",
    p.service_signature_switch_at AS "serviceSignatureSwitchAt",
    u.attempt_count AS "attemptCount", u.attempts_allowed AS "attemptsAllowed",
    e.request_id AS "eventRequestId", p.rate_limit_per_second AS "rateLimitPerSecond",
    p.failing_since AS "failingSince", p.taken_over AS "takenOver"`;

// A result counts only for the attempt it is about. A worker that comes late still has made that
// attempt: it counts unless another lease has meanwhile begun the same one, and a success always.
const RECORD = `
  WITH results AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::smallint[],
      $6::float8[], $7::int[], $8::int[], $9::text[], $10::text[], $11::text[], $12::bigint[])
      AS r (attempt_id, subscription_id, delivery_id, lease_id, number, started_ms, duration_ms,
        status, error, response_excerpt, state, next_attempt_in_ms)
  ), delivered AS (
    DELETE FROM undelivered u USING results r
    WHERE r.state = 'delivered' AND u.subscription_id = r.subscription_id
      AND u.delivery_id = r.delivery_id AND u.attempt_count = r.number - 1
    RETURNING u.delivery_id
  ), failed AS (
    UPDATE undelivered u SET
      attempt_count = r.number,
      due_at = now() + r.next_attempt_in_ms * interval '1 millisecond',
      lease_id = NULL,
      leased_until = NULL
    FROM results r
    WHERE r.state <> 'delivered' AND u.subscription_id = r.subscription_id
      AND u.delivery_id = r.delivery_id AND u.attempt_count = r.number - 1
      AND (u.lease_id = r.lease_id OR u.leased_until IS NULL OR u.leased_until < now())
    RETURNING u.delivery_id
  ), stored AS (
    INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status, error,
      response_excerpt)
    SELECT r.attempt_id, r.delivery_id, r.number, to_timestamp(r.started_ms / 1000),
      r.duration_ms, r.status, r.error, r.response_excerpt
    FROM results r
    JOIN (SELECT * FROM delivered UNION ALL SELECT * FROM failed) changed USING (delivery_id)
    RETURNING delivery_id
  )
  -- Nearly always all of them: then their ids need not come back.
  SELECT CASE WHEN count(*) < (SELECT count(*) FROM results)
    THEN coalesce(array_agg(delivery_id), '{}') END AS ids
  FROM stored`;

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
    lease({ leaseId, leaseMs, limit, rooms }) {
      return leasing.query<LeasedDelivery>(LEASE, [
        [...rooms.keys()],
        [...rooms.values()],
        limit,
        leaseId,
        leaseMs,
      ]);
    },
    async record(attempts) {
      const [row] = await database.query<{ ids: string[] | null }>(RECORD, [
        attempts.map((a) => a.attemptId),
        attempts.map((a) => a.subscriptionId),
        attempts.map((a) => a.deliveryId),
        attempts.map((a) => a.leaseId),
        attempts.map((a) => a.number),
        attempts.map((a) => a.startedMs),
        attempts.map((a) => a.durationMs),
        attempts.map((a) => a.status),
        attempts.map((a) => a.error),
        attempts.map((a) => a.responseExcerpt),
        attempts.map((a) => a.state),
        attempts.map((a) => a.nextAttemptInMs),
      ]);
      return new Set(row?.ids ?? attempts.map((a) => a.deliveryId));
    },
    async release(deliveries) {
      await database.query(RELEASE, [
        deliveries.map((delivery) => delivery.subscriptionId),
        deliveries.map((delivery) => delivery.id),
        deliveries.map((delivery) => delivery.leaseId),
      ]);
    },
  };
}
