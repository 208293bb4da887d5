import { EVENTS_QUEUE, INBOX, type OutboxQueue } from '@atrium/contracts/queues';
import type { Pool } from 'pg';

export interface QueueLag {
  queue: OutboxQueue;
  /** Rows that have not arrived yet, those that wait for another attempt among them. */
  waiting: number;
  /** Age of the oldest of them. */
  oldestSeconds: number;
  /** Messages that failed too often and wait for an operator. */
  setAside: number;
}

/** Rows counted at most: an outbox with more is in trouble, however many more. */
const COUNT_LIMIT = 100_000;
const QUEUES: readonly OutboxQueue[] = [EVENTS_QUEUE, ...Object.values(INBOX)];

// Ranges of the index (queue, due_at NULLS FIRST, seq), each in its order.
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

/**
 * How far the relays are behind, one entry for each queue that has rows. Counts up to 100,000 new
 * rows of a queue and as many that wait for another attempt.
 */
export async function outboxLag(pool: Pool): Promise<QueueLag[]> {
  const { rows } = await pool.query<QueueLag>(LAG, [QUEUES, COUNT_LIMIT]);
  return rows;
}
