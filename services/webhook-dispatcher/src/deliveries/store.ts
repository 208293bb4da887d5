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
  /** Attempts made before this one. */
  attemptCount: number;
  eventRequestId: string | null;
}

export interface LeaseRequest {
  leaseId: string;
  leaseSeconds: number;
  limit: number;
  /** Endpoints up to this id have had their turn. */
  afterSubscriptionId: string;
  /** How many one endpoint gets unless `rooms` says otherwise. */
  defaultRoom: number;
  rooms: ReadonlyMap<string, number>;
}

export interface AttemptRecord {
  attemptId: string;
  deliveryId: string;
  leaseId: string;
  number: number;
  startedAt: Date;
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
  lease(request: LeaseRequest): Promise<LeasedDelivery[]>;
  record(attempts: readonly AttemptRecord[]): Promise<void>;
  release(deliveries: readonly LeasedDelivery[]): Promise<void>;
  countDue(): Promise<number>;
}

// One probe of deliveries_due_idx per endpoint that has anything outstanding, then at most `room` of
// its due rows: no endpoint's backlog is read past its share. Rows of a disabled subscription are put
// aside instead of leased, and come back when it is enabled.
const LEASE = `
  WITH RECURSIVE endpoints AS (
    (SELECT d.subscription_id FROM deliveries d
     WHERE d.available_at IS NOT NULL AND d.subscription_id > $1
     ORDER BY d.subscription_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.subscription_id FROM deliveries d
            WHERE d.available_at IS NOT NULL AND d.subscription_id > e.subscription_id
            ORDER BY d.subscription_id LIMIT 1)
    FROM endpoints e WHERE e.subscription_id IS NOT NULL
  ), picked AS (
    SELECT due.id
    FROM endpoints e
    LEFT JOIN unnest($5::text[], $6::int[]) AS r (subscription_id, room)
      ON r.subscription_id = e.subscription_id
    CROSS JOIN LATERAL (
      SELECT d.id FROM deliveries d
      WHERE d.subscription_id = e.subscription_id AND d.available_at <= now()
      ORDER BY d.available_at
      LIMIT coalesce(r.room, $4::int)
      FOR UPDATE SKIP LOCKED
    ) due
    LIMIT $3::int
  )
  UPDATE deliveries d SET
    lease_id = CASE WHEN s.enabled THEN $2 ELSE 'parked' END,
    available_at = now() + CASE WHEN s.enabled
      THEN $7::int * interval '1 second' ELSE interval '1 hour' END
  FROM picked, subscriptions s, events e
  WHERE d.id = picked.id AND s.id = d.subscription_id AND e.id = d.event_id
  RETURNING d.id, d.lease_id AS "leaseId", d.subscription_id AS "subscriptionId", e.event, e.body,
    s.url, s.sealed_secret AS "sealedSecret", d.attempt_count AS "attemptCount",
    e.request_id AS "eventRequestId"`;

// A row is moved only under the lease and before the attempt that the result is about, so a worker
// that comes late changes nothing and leaves no attempt behind.
const RECORD = `
  WITH results AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::timestamptz[],
      $6::int[], $7::int[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[])
      AS r (attempt_id, delivery_id, lease_id, number, started_at, duration_ms, status, error,
        response_excerpt, state, next_attempt_in_ms, disable_reason)
  ), moved AS (
    UPDATE deliveries d SET
      state = r.state,
      attempt_count = r.number,
      available_at = now() + r.next_attempt_in_ms * interval '1 millisecond',
      lease_id = NULL
    FROM results r
    WHERE d.id = r.delivery_id AND d.lease_id = r.lease_id AND d.attempt_count = r.number - 1
    RETURNING d.id, d.subscription_id, r.disable_reason
  ), disabled AS (
    UPDATE subscriptions s SET enabled = false, disabled_reason = m.disable_reason,
      updated_at = now()
    FROM moved m
    WHERE s.id = m.subscription_id AND m.disable_reason IS NOT NULL AND s.enabled
  )
  INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status, error,
    response_excerpt)
  SELECT r.attempt_id, r.delivery_id, r.number, r.started_at, r.duration_ms, r.status, r.error,
    r.response_excerpt
  FROM results r JOIN moved m ON m.id = r.delivery_id`;

const RELEASE = `
  UPDATE deliveries d SET available_at = now(), lease_id = NULL
  FROM unnest($1::text[], $2::text[]) AS r (delivery_id, lease_id)
  WHERE d.id = r.delivery_id AND d.lease_id = r.lease_id`;

/** The same address, for sessions whose commits do not wait for the disk. */
export function withAsynchronousCommit(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get('options');
  const setting = '-c synchronous_commit=off';
  url.searchParams.set('options', options === null ? setting : `${options} ${setting}`);
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
    async lease(request) {
      const { leaseId, rooms } = request;
      const rows = await leasing.query<LeasedDelivery>(LEASE, [
        request.afterSubscriptionId,
        leaseId,
        request.limit,
        request.defaultRoom,
        [...rooms.keys()],
        [...rooms.values()],
        request.leaseSeconds,
      ]);
      return rows;
    },
    async record(attempts) {
      await database.query(RECORD, [
        attempts.map((a) => a.attemptId),
        attempts.map((a) => a.deliveryId),
        attempts.map((a) => a.leaseId),
        attempts.map((a) => a.number),
        attempts.map((a) => a.startedAt),
        attempts.map((a) => a.durationMs),
        attempts.map((a) => a.status),
        attempts.map((a) => a.error),
        attempts.map((a) => a.responseExcerpt),
        attempts.map((a) => a.state),
        attempts.map((a) => a.nextAttemptInMs),
        attempts.map((a) => a.disableReason),
      ]);
    },
    async release(deliveries) {
      const ids = deliveries.map((delivery) => delivery.id);
      await database.query(RELEASE, [ids, deliveries.map((delivery) => delivery.leaseId)]);
    },
    async countDue() {
      const [row] = await database.query<{ due: string }>(
        'SELECT count(*) AS due FROM deliveries WHERE available_at <= now()',
      );
      return Number(row?.due ?? 0);
    },
  };
}
