import type { Sql } from '@atrium/service-kit/database';
import type { Attempt } from '../sending/deliver.ts';

// All SQL here is raw: CTEs, on the measured path of a delivery.

// A result counts only for the attempt number that it is about. A success counts even if another
// worker holds the lease by now, which then need not send the delivery again.
const RECORD_DELIVERED = `
  WITH delivered AS (
    DELETE FROM undelivered u
    USING unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::float8[], $6::int[],
      $7::int[], $8::text[]) AS r (attempt_id, subscription_id, delivery_id, number, started_ms,
      duration_ms, status, response_excerpt)
    WHERE u.subscription_id = r.subscription_id AND u.delivery_id = r.delivery_id
      AND u.attempt_count = r.number - 1
    RETURNING r.*
  ), stored AS (
    INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status,
      response_excerpt)
    SELECT attempt_id, delivery_id, number, to_timestamp(started_ms / 1000), duration_ms, status,
      response_excerpt
    FROM delivered
    RETURNING delivery_id
  )
  -- Nearly always all of them, and then their ids need not be returned.
  SELECT CASE WHEN count(*) < cardinality($1::text[])
    THEN coalesce(array_agg(delivery_id), '{}') END AS ids
  FROM stored`;

// A failure that comes after its lease expired still counts, unless another lease has begun the same
// attempt.
const RECORD_FAILED = `
  WITH failed AS (
    UPDATE undelivered u SET
      attempt_count = r.number,
      due_at = now() + r.next_attempt_in_ms * interval '1 millisecond',
      postponed_since = CASE WHEN r.status IS NULL THEN u.postponed_since END,
      lease_id = NULL,
      leased_until = NULL,
      take_overs = 0
    FROM unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::float8[], $6::int[],
      $7::int[], $8::text[], $9::text[], $10::uuid[], $11::bigint[], $12::text[]) AS r (attempt_id,
      subscription_id, delivery_id, number, started_ms, duration_ms, status, response_excerpt,
      error, lease_id, next_attempt_in_ms, response_headers)
    WHERE u.subscription_id = r.subscription_id AND u.delivery_id = r.delivery_id
      AND u.attempt_count = r.number - 1
      AND (u.lease_id = r.lease_id OR u.leased_until IS NULL OR u.leased_until < now())
    RETURNING r.*
  ), stored AS (
    INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status,
      response_excerpt, error, response_headers)
    SELECT attempt_id, delivery_id, number, to_timestamp(started_ms / 1000), duration_ms, status,
      response_excerpt, error, response_headers
    FROM failed
    RETURNING delivery_id
  )
  SELECT coalesce(array_agg(delivery_id), '{}') AS ids FROM stored`;

/**
 * Stores attempts, either all of them delivered or none.
 *
 * @returns the ids of the deliveries whose attempt was stored: the others were late.
 */
export type RecordAttempts = (attempts: readonly Attempt[]) => Promise<Set<string>>;

export function createAttemptStore(database: Sql): { recordAttempts: RecordAttempts } {
  return {
    async recordAttempts(attempts) {
      const isDelivered = attempts[0]?.outcome === 'delivered';
      const common = [
        plainArray(attempts.map((a) => a.attemptId)),
        plainArray(attempts.map((a) => a.subscriptionId)),
        plainArray(attempts.map((a) => a.deliveryId)),
        plainArray(attempts.map((a) => a.number)),
        plainArray(attempts.map((a) => a.startedMs)),
        plainArray(attempts.map((a) => a.durationMs)),
        plainArray(attempts.map((a) => a.status)),
        attempts.map((a) => a.responseExcerpt),
      ];
      const failedOnly = () => [
        attempts.map((a) => a.error),
        plainArray(attempts.map((a) => a.leaseId)),
        plainArray(attempts.map((a) => a.nextAttemptInMs)),
        attempts.map((a) => a.responseHeaders),
      ];
      const [row] = await database.query<{ ids: string[] | null }>(
        isDelivered ? RECORD_DELIVERED : RECORD_FAILED,
        isDelivered ? common : [...common, ...failedOnly()],
      );
      return new Set(row?.ids ?? attempts.map((a) => a.deliveryId));
    },
  };
}

/**
 * An array literal (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO) of ids or numbers,
 * which need no escaping: the driver would search each of them for what it must escape.
 */
function plainArray(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}
