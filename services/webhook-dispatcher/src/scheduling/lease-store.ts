// Why it is so: docs/decisions/0001-deliveries-wait-in-postgres.md
import { randomUUID } from 'node:crypto';
import { DELIVERY_BODY_MAX_BYTES } from '@atrium/contracts/webhooks/publishing';
import type { Sql } from '@atrium/service-kit/database';
import type { Endpoint, LeasedDelivery, PostponedAttempt } from '../sending/deliver.ts';
import type { Round } from './round-robin.ts';

// All SQL here is raw: SKIP LOCKED, recursive CTEs, and the measured path of a delivery.

/**
 * A lease outlives the request deadline by this, for queueing and recording. Short, since the
 * deliveries of a killed worker wait as long.
 */
const LEASE_MARGIN_MS = 12_000;
/** The part of it that is left for recording when the request is sent at the last moment. */
const RECORDING_MARGIN_MS = 5_000;
/** The part of it that a delivery may wait for a connection to its origin, before the request has its deadline. */
export const CONNECTION_WAIT_MAX_MS = 2_000;

export interface LeaseStore {
  /** Endpoints after this id that have something due, in the order of their ids. */
  findDueEndpoints(after: string, limit: number): Promise<string[]>;
  lease(round: Round): Promise<LeasedDelivery[]>;
  /** Leases those of these deliveries that are due, whatever is due before them. */
  leaseNamed(ids: readonly string[]): Promise<LeasedDelivery[]>;
  release(deliveries: readonly LeasedDelivery[]): Promise<void>;
  /** Releases a delivery that must not be tried again before the delay has passed. */
  postpone(
    delivery: LeasedDelivery,
    postponed: Pick<PostponedAttempt, 'cause' | 'delayMs'>,
  ): Promise<void>;
}

interface LeasedRow extends Omit<
  LeasedDelivery,
  'leaseId' | 'leasedMs' | 'startBeforeMs' | 'endpoint'
> {
  /** At least in the first row of each endpoint. */
  endpoint: Endpoint | null;
}

const ENDPOINT = `
  json_build_object(
    'accountId', account_id,
    'url', url,
    'sealedSecret', sealed_secret,
    'sealedHeaders', sealed_headers,
    'sealedDestination', sealed_destination,
    'previousSealedSecret', CASE WHEN previous_secret_until > now() THEN previous_sealed_secret END,
    'signsWithPrevious', coalesce(service_signature_switch_at > now(), false),
    'rateLimitPerSecond', rate_limit_per_second,
    'failingSinceMs', extract(epoch FROM failing_since) * 1000
  )`;

// A skip scan: one probe of undelivered_due_idx per endpoint that has anything outstanding, however
// long its backlog (https://wiki.postgresql.org/wiki/Loose_indexscan).
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

const OF_ENDPOINT = `
    CROSS JOIN LATERAL (
      SELECT ${ENDPOINT} AS endpoint
      FROM subscriptions
      WHERE id = round.subscription_id AND enabled AND NOT paused AND deleted_at IS NULL
      OFFSET 0 -- keeps this a look-up by primary key
    ) s`;
/** Bytes of the bodies of the rows before this one. */
const BYTES_BEFORE =
  'sum(octet_length(e.body)) OVER (ROWS UNBOUNDED PRECEDING) - octet_length(e.body) AS bytes_before';
const TAKE = `
    CROSS JOIN LATERAL (
      SELECT event, body, request_id, traceparent FROM events WHERE id = due.event_id OFFSET 0
    ) e
    LIMIT $1::int
  )
  UPDATE undelivered u SET lease_id = $2::uuid,
    leased_until = now() + $3::int * interval '1 millisecond',
    take_overs = u.take_overs + p.taken_over::int
  FROM picked p
  WHERE u.ctid = p.row_id AND p.bytes_before < $4::int
  RETURNING u.delivery_id AS id, u.subscription_id AS "subscriptionId", p.event, p.body,
    octet_length(p.body) AS "bodyBytes", u.attempt_count AS "attemptCount", u.attempts_allowed AS "attemptsAllowed",
    extract(epoch FROM u.postponed_since)::float8 * 1000 AS "postponedSinceMs",
    p.request_id AS "eventRequestId", p.traceparent,
    CASE WHEN p.traceparent IS NOT NULL THEN extract(epoch FROM u.due_at)::float8 * 1000 END AS "dueMs",
    p.taken_over AS "isTakenOver", u.take_overs AS "takeOvers", p.endpoint`;

// For each endpoint at most `slots` of its due rows, so that no backlog is read past its share. A
// locked row keeps its ctid until the statement ends, so no index is searched twice. The endpoint is
// returned with its first row only. A row without a body is skipped: see missing-bodies.
const LEASE = `
  WITH picked AS (
    SELECT due.*, e.event, e.body, e.request_id, e.traceparent, ${BYTES_BEFORE},
      CASE WHEN lag(round.subscription_id) OVER () IS DISTINCT FROM round.subscription_id
        THEN s.endpoint END AS endpoint
    FROM unnest($5::text[], $6::int[]) AS round (subscription_id, slots)${OF_ENDPOINT}
    CROSS JOIN LATERAL (
      SELECT u.ctid AS row_id, u.event_id, u.lease_id IS NOT NULL AS taken_over
      FROM undelivered u
      WHERE u.subscription_id = round.subscription_id AND u.due_at <= now()
        AND (u.leased_until IS NULL OR u.leased_until < now())
      ORDER BY u.due_at
      LIMIT round.slots
      FOR UPDATE SKIP LOCKED
    ) due${TAKE}`;

// The same for deliveries by their ids, whatever is due before them.
const LEASE_NAMED = `
  WITH picked AS (
    SELECT due.*, e.event, e.body, e.request_id, e.traceparent, s.endpoint, ${BYTES_BEFORE}
    FROM (
      SELECT id, subscription_id FROM deliveries WHERE id = ANY ($5::text[]) OFFSET 0
    ) AS round${OF_ENDPOINT}
    CROSS JOIN LATERAL (
      SELECT u.ctid AS row_id, u.event_id, u.lease_id IS NOT NULL AS taken_over
      FROM undelivered u
      WHERE u.subscription_id = round.subscription_id AND u.delivery_id = round.id AND u.due_at <= now()
        AND (u.leased_until IS NULL OR u.leased_until < now())
      FOR UPDATE SKIP LOCKED
    ) due${TAKE}`;

const RELEASE = `
  UPDATE undelivered u SET lease_id = NULL, leased_until = NULL
  FROM unnest($1::text[], $2::text[], $3::uuid[]) AS r (subscription_id, delivery_id, lease_id)
  WHERE u.subscription_id = r.subscription_id AND u.delivery_id = r.delivery_id
    AND u.lease_id = r.lease_id`;

const POSTPONE = `
  UPDATE undelivered SET lease_id = NULL, leased_until = NULL, take_overs = 0,
    due_at = now() + $4::int * interval '1 millisecond',
    postponed_since = coalesce(postponed_since, CASE WHEN $5 THEN now() END)
  WHERE subscription_id = $1 AND delivery_id = $2 AND lease_id = $3::uuid AND due_at IS NOT NULL`;

// Every lookup of a lease is by index. Left to choose, Postgres scans or hashes whole tables whose
// statistics are a minute old: a batch then costs a hundred times as much. A lease lost in a crash of
// Postgres only means that the delivery is sent again, so its commit is asynchronous.
export const LEASING_SETTINGS = {
  synchronous_commit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** @param leasing sessions with `LEASING_SETTINGS` */
export function createLeaseStore(leasing: Sql, requestTimeoutMs: number): LeaseStore {
  async function take(
    statement: string,
    { limit, bytes }: Pick<Round, 'limit' | 'bytes'>,
    chosen: readonly unknown[],
  ) {
    const leaseId = randomUUID();
    const startBeforeMs =
      Date.now() + LEASE_MARGIN_MS - RECORDING_MARGIN_MS - CONNECTION_WAIT_MAX_MS;
    const lease = [limit, leaseId, requestTimeoutMs + LEASE_MARGIN_MS, bytes];
    const rows = await leasing.query<LeasedRow>(statement, [...lease, ...chosen]);
    const leasedMs = Date.now();
    const endpoints = new Map<string, Endpoint>();
    for (const { subscriptionId, endpoint } of rows) {
      if (endpoint !== null) endpoints.set(subscriptionId, endpoint);
    }
    return rows.flatMap((row) => {
      const endpoint = endpoints.get(row.subscriptionId);
      return endpoint === undefined ? [] : { ...row, leaseId, leasedMs, startBeforeMs, endpoint };
    });
  }

  return {
    async findDueEndpoints(after, limit) {
      const rows = await leasing.query<{ id: string }>(DUE_ENDPOINTS, [after, limit]);
      return rows.map((row) => row.id);
    },

    lease: (round) => take(LEASE, round, [[...round.slots.keys()], [...round.slots.values()]]),
    leaseNamed: (ids) =>
      take(LEASE_NAMED, { limit: ids.length, bytes: ids.length * DELIVERY_BODY_MAX_BYTES }, [ids]),

    async postpone({ subscriptionId, id, leaseId }, { cause, delayMs }) {
      const values = [subscriptionId, id, leaseId, delayMs, cause === 'lookup'];
      await leasing.query(POSTPONE, values);
    },

    async release(deliveries) {
      await leasing.query(RELEASE, [
        deliveries.map(({ subscriptionId }) => subscriptionId),
        deliveries.map(({ id }) => id),
        deliveries.map(({ leaseId }) => leaseId),
      ]);
    },
  };
}
