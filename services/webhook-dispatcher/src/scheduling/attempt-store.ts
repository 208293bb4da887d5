import type { Sql } from '@atrium/service-kit/database';
import type { AttemptRecord } from '../sending/deliver.ts';

// An answer counts only for the attempt it is about, and a success always: whoever has leased the
// delivery meanwhile need not send it again.
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
  -- Nearly always all of them: then their ids need not come back.
  SELECT CASE WHEN count(*) < cardinality($1::text[])
    THEN coalesce(array_agg(delivery_id), '{}') END AS ids
  FROM stored`;

// A worker that comes late with a failure still has made that attempt: it counts unless another
// lease has meanwhile begun the same one.
const RECORD_FAILED = `
  WITH failed AS (
    UPDATE undelivered u SET
      attempt_count = r.number,
      due_at = now() + r.next_attempt_in_ms * interval '1 millisecond',
      lease_id = NULL,
      leased_until = NULL
    FROM unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::float8[], $6::int[],
      $7::int[], $8::text[], $9::text[], $10::uuid[], $11::bigint[]) AS r (attempt_id,
      subscription_id, delivery_id, number, started_ms, duration_ms, status, response_excerpt,
      error, lease_id, next_attempt_in_ms)
    WHERE u.subscription_id = r.subscription_id AND u.delivery_id = r.delivery_id
      AND u.attempt_count = r.number - 1
      AND (u.lease_id = r.lease_id OR u.leased_until IS NULL OR u.leased_until < now())
    RETURNING r.*
  ), stored AS (
    INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status,
      response_excerpt, error)
    SELECT attempt_id, delivery_id, number, to_timestamp(started_ms / 1000), duration_ms, status,
      response_excerpt, error
    FROM failed
    RETURNING delivery_id
  )
  SELECT coalesce(array_agg(delivery_id), '{}') AS ids FROM stored`;

/**
 * Stores the results of attempts, either all of them delivered or none.
 *
 * @returns the ids of the deliveries whose attempt was stored: not those that came too late.
 */
export async function recordAttempts(
  sql: Sql,
  attempts: readonly AttemptRecord[],
): Promise<Set<string>> {
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
  const [row] =
    attempts[0]?.state === 'delivered'
      ? await sql.query<{ ids: string[] | null }>(RECORD_DELIVERED, common)
      : await sql.query<{ ids: string[] | null }>(RECORD_FAILED, [
          ...common,
          attempts.map((a) => a.error),
          plainArray(attempts.map((a) => a.leaseId)),
          plainArray(attempts.map((a) => a.nextAttemptInMs)),
        ]);
  return new Set(row?.ids ?? attempts.map((a) => a.deliveryId));
}

/**
 * An array as Postgres reads it (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO), of
 * ids and numbers alone: the driver's own would search each for what must be escaped.
 */
function plainArray(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}
