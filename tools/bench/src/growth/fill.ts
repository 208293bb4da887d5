import type { Sql } from '@atrium/service-kit/database';

const ROWS_PER_STATEMENT = 250_000;
export const SUBSCRIPTIONS = Array.from({ length: 200 }, (_, n) => `whk_${1_000 + n}`);
export const accountOf = (subscriptionId: string) => subscriptionId.replace('whk', 'usr');

/** As `newId` of contracts makes ids, but for the random part, which only has to differ. */
const ID = `
  CREATE FUNCTION bench_id(prefix text, ms bigint, n bigint) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT prefix || '_' || ${Array.from(
      { length: 10 },
      (_, at) =>
        `substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> ${45 - 5 * at} & 31)::int + 1, 1)`,
    ).join(' || ')} || substr(md5(n::text), 1, 16)
  $$`;

const SUBSCRIBE = `
  INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
  SELECT id, replace(id, 'whk', 'usr'), 'https://example.com/', '{go.click}', 'sealed'
  FROM unnest($1::text[]) AS id`;

/** $1 and $2 the first and last number, $3 when the first of all was made, $4 milliseconds from one to the next. */
const ROWS = `
  SELECT n, bench_id('evt', ms, n) AS event_id, bench_id('dlv', ms + 5, n) AS id,
    'whk_' || 1000 + n % ${SUBSCRIPTIONS.length} AS subscription_id, to_timestamp(ms / 1000.0) AS made_at
  FROM (SELECT n, $3::bigint + (n * $4::float8)::bigint AS ms FROM generate_series($1::bigint, $2::bigint) n) AS at`;

const INSERTS = [
  `INSERT INTO events (id, event, account_id, body, created_at)
   SELECT event_id, 'go.click', replace(subscription_id, 'whk', 'usr'), repeat('x', 100), made_at
   FROM (${ROWS}) AS r`,
  `INSERT INTO deliveries (id, event_id, subscription_id, event, created_at)
   SELECT id, event_id, subscription_id, 'go.click', made_at FROM (${ROWS}) AS r`,
  `INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status)
   SELECT replace(id, 'dlv', 'att'), id, 1, made_at, 20, 200 FROM (${ROWS}) AS r`,
];

/** Stores delivered deliveries, each with its event and one attempt, evenly over this time. */
export async function fill(
  database: Sql,
  options: { deliveries: number; startMs: number; endMs: number },
): Promise<void> {
  const { deliveries, startMs, endMs } = options;
  await database.query(ID);
  await database.query(SUBSCRIBE, [SUBSCRIPTIONS]);
  for (let first = 0; first < deliveries; first += ROWS_PER_STATEMENT) {
    const last = Math.min(first + ROWS_PER_STATEMENT, deliveries) - 1;
    for (const insert of INSERTS) {
      await database.query(insert, [first, last, startMs, (endMs - startMs) / deliveries]);
    }
  }
  await database.query('VACUUM (ANALYZE, FREEZE)');
  await database.query('CHECKPOINT');
}
