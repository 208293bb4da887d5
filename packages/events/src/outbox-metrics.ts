import type { OutboxLag } from '@atrium/contracts/auth/operator';
import { EVENTS_QUEUE, INBOX, type OutboxQueue } from '@atrium/contracts/queues';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Rows counted at most, of each kind: beyond this the number does not matter. */
const COUNT_LIMIT = 100_000;
const QUEUES: readonly OutboxQueue[] = [EVENTS_QUEUE, ...Object.values(INBOX)];

// Raw SQL: ranges of the index (queue, due_at NULLS FIRST, seq), each in its order and bounded.
const LAG = `
  SELECT q.queue, waiting.count AS waiting, waiting.seconds AS "oldestSeconds",
    aside.count AS "setAside"
  FROM unnest($1::text[]) AS q (queue)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS count,
      coalesce(greatest(0, extract(epoch FROM now() - min(created_at))), 0)::float8 AS seconds
    FROM (
      (SELECT created_at FROM outbox WHERE queue = q.queue AND due_at IS NULL
       ORDER BY queue, due_at NULLS FIRST, seq LIMIT $2)
      UNION ALL
      (SELECT created_at FROM outbox WHERE queue = q.queue AND due_at < 'infinity'
       ORDER BY queue, due_at NULLS FIRST, seq LIMIT $2)
    ) AS rows
  ) AS waiting
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM outbox WHERE queue = q.queue AND due_at = 'infinity' LIMIT $2
    ) AS rows
  ) AS aside
  WHERE waiting.count + aside.count > 0 ORDER BY q.queue`;

const GAUGES = {
  outbox_oldest_seconds: ['Age of the oldest row that has not arrived yet', 'oldestSeconds'],
  outbox_waiting: ['Rows that have not arrived yet, at most 100,000 counted', 'waiting'],
  outbox_set_aside: ['Messages that failed too often and wait for an operator', 'setAside'],
} as const satisfies Record<string, [string, keyof OutboxLag]>;

/**
 * Registers gauges of how far the relays of an outbox are behind, by queue. They have no values while
 * Postgres does not answer.
 */
export function observeOutbox(registry: Registry, pool: Pool): void {
  let reading: Promise<OutboxLag[]> | undefined;
  // All gauges of one scrape share one query.
  const read = () => {
    reading ??= readOutboxLag(pool)
      .catch(() => [])
      .finally(() => (reading = undefined));
    return reading;
  };
  for (const [name, [help, field]] of Object.entries(GAUGES)) {
    const gauge: Gauge<'queue'> = new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const lags = await read();
        gauge.reset();
        for (const lag of lags) gauge.set({ queue: lag.queue }, lag[field]);
      },
    });
  }
}

/** One entry for each queue that has rows. */
export async function readOutboxLag(pool: Pool): Promise<OutboxLag[]> {
  const { rows } = await pool.query<OutboxLag>(LAG, [QUEUES, COUNT_LIMIT]);
  return rows;
}
