import type { Message } from '@atrium/contracts/account-messages';
import type { EventEnvelope } from '@atrium/contracts/events';
import { EVENTS_QUEUE, type OutboxQueue } from '@atrium/contracts/queues';
import type { Pool } from 'pg';

/** What one row carries. Messages are validated by their consumer. */
export type Entry = EventEnvelope | Pick<Message, 'id' | 'accountId' | 'createdAt' | 'traceparent'>;

/** Outbox rows under one lease of this relay. */
export interface LeasedBatch {
  seqs: string[];
  entries: Entry[];
  /** Also distinguishes this lease from a later one of another relay. */
  leasedUntil: Date;
}

interface OutboxRow {
  seq: string;
  id: string;
  event: string;
  account_id: string;
  data: EventEnvelope['data'];
  bytes: number;
  request_id: string | null;
  traceparent: string | null;
  created_at: Date;
  occurred_at: Date | null;
  leased_until: Date;
  attempts: number;
  /** Never sent before. */
  is_new: boolean;
}

/** Rows that failed this often are sent alone, so that one that can never succeed holds up no other. */
const ATTEMPTS_TOGETHER = 2;
/** Failures of whole batches count no further: a broken consumer must not exhaust its rows. */
const ATTEMPTS_OF_A_BATCH = 6;
/** Messages that their consumer reported this often are set aside, after about 20 hours. */
export const ATTEMPTS_MAX = 20;
const FIRST_RETRY_SECONDS = 0.5;
const MAX_RETRY_SECONDS = 4 * 3600;
const REASON_MAX_CHARACTERS = 500;
/** How often the whole queue is read, and not only what is newer than the last lease. */
const LOOK_BACK_MS = 1_000;
/** Sequence numbers commit in any order: the next lease begins this far before the last one. */
const LATE_COMMITS = 1_000n;
/** Bytes of data that one lease takes at most, beyond its first row: a relay and a worker hold several. */
const LEASE_MAX_BYTES = 500_000;

// Raw SQL: SKIP LOCKED. Both reads are ranges of the index (queue, due_at NULLS FIRST, seq) in its
// order, so neither sorts or reads rows of another queue or a later time. ORDER BY names all columns
// because Postgres does not see that IS NULL makes due_at constant. A locked row keeps its ctid until
// the statement ends, and leased_until is in no index: leasing a row is a heap-only update.
const LEASE = `
  WITH due AS MATERIALIZED (
    SELECT ctid AS row_id, octet_length(data::text) AS bytes FROM outbox
    WHERE queue = $1 AND due_at <= now() AND (leased_until IS NULL OR leased_until < now())
    ORDER BY queue, due_at NULLS FIRST, seq LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), fresh AS MATERIALIZED (
    SELECT ctid AS row_id, octet_length(data::text) AS bytes FROM outbox
    WHERE queue = $1 AND due_at IS NULL AND seq > $3::bigint
      AND (leased_until IS NULL OR leased_until < now())
    ORDER BY queue, due_at NULLS FIRST, seq LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), summed AS (
    SELECT row_id, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
    FROM (SELECT * FROM due UNION ALL SELECT * FROM fresh) AS picked
  )
  UPDATE outbox SET leased_until = now() + make_interval(secs => $4)
  WHERE ctid = ANY (ARRAY(SELECT row_id FROM summed WHERE bytes_before < ${LEASE_MAX_BYTES}))
  RETURNING seq, id, event, account_id, data, octet_length(data::text) AS bytes, request_id, traceparent,
    created_at, occurred_at, leased_until, attempts, due_at IS NULL AS is_new`;

/** The Postgres side of a relay: leases the outbox rows of one queue. */
export class OutboxLeases {
  readonly #pool: Pool;
  readonly #queue: OutboxQueue;
  readonly #leaseSeconds: number;
  readonly #clockMs: () => number;
  #fromSeq = 0n;
  #lookedBackMs = 0;

  /** @param clockMs a clock that only goes forward */
  constructor(
    pool: Pool,
    queue: OutboxQueue,
    leaseSeconds: number,
    clockMs: () => number = () => performance.now(),
  ) {
    this.#pool = pool;
    this.#queue = queue;
    this.#leaseSeconds = leaseSeconds;
    this.#clockMs = clockMs;
  }

  /**
   * Leases up to `limit` new rows and as many that are due again, oldest first, in batches of at most
   * `limit`, and less when they are large. Rows that another relay is leasing are skipped. `isFull`: there may be
   * more rows.
   */
  async lease(limit: number): Promise<{ batches: LeasedBatch[]; isFull: boolean }> {
    const { rows } = await this.#pool.query<OutboxRow>(LEASE, [
      this.#queue,
      limit,
      String(this.#takeStartSeq()),
      this.#leaseSeconds,
    ]);
    rows.sort((a, b) => Number(a.seq) - Number(b.seq));
    const newRows = rows.filter((row) => row.is_new);
    this.#rememberLast(newRows, limit);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const isFull =
      newRows.length >= limit || rows.length - newRows.length >= limit || bytes >= LEASE_MAX_BYTES;
    const together = rows.filter((row) => row.attempts < ATTEMPTS_TOGETHER);
    const alone = rows.filter((row) => row.attempts >= ATTEMPTS_TOGETHER);
    const batches = [...chunks(together, limit), ...alone.map((row) => [row])];
    return { batches: batches.map((batch) => this.#toBatch(batch)), isFull };
  }

  /** Extends the lease; null when another relay has taken it over. */
  async extend(batch: LeasedBatch): Promise<LeasedBatch | null> {
    const { rows } = await this.#pool.query<{ leased_until: Date }>(
      `UPDATE outbox SET leased_until = now() + make_interval(secs => $3)
       WHERE seq = ANY($1::bigint[]) AND leased_until = $2 RETURNING leased_until`,
      [batch.seqs, batch.leasedUntil, this.#leaseSeconds],
    );
    const [first] = rows;
    if (first === undefined || rows.length < batch.seqs.length) return null;
    return { ...batch, leasedUntil: first.leased_until };
  }

  /** Ends the lease, so that any relay may lease the rows at once. */
  async release(batch: LeasedBatch): Promise<void> {
    await this.#pool.query(
      `UPDATE outbox SET leased_until = NULL WHERE seq = ANY($1::bigint[]) AND leased_until = $2`,
      [batch.seqs, batch.leasedUntil],
    );
  }

  /** Deletes rows that have arrived, also under another relay's lease. */
  async remove(seqs: string[]): Promise<void> {
    await this.#pool.query('DELETE FROM outbox WHERE seq = ANY($1::bigint[])', [seqs]);
  }

  /** The batch as a whole failed: retries it after half a second, and half a minute at most. */
  async postpone(batch: LeasedBatch, reason: string): Promise<void> {
    await this.#pool.query(
      `UPDATE outbox SET attempts = greatest(attempts, least(attempts + 1, $4)),
         leased_until = NULL, due_at = now() + make_interval(secs => $5 * 2 ^ least(attempts, $4 - 1)),
         last_error = $3
       WHERE seq = ANY($1::bigint[]) AND leased_until = $2`,
      [batch.seqs, batch.leasedUntil, short(reason), ATTEMPTS_OF_A_BATCH, jittered()],
    );
  }

  /**
   * The consumer could not handle this row. Retries it with exponential backoff and sets it aside
   * after the last attempt. Returns the attempts so far.
   */
  async retryLater(seq: string, reason: string): Promise<number> {
    const { rows } = await this.#pool.query<{ attempts: number }>(
      `UPDATE outbox SET attempts = attempts + 1, last_error = $2, leased_until = NULL,
         due_at = CASE WHEN attempts + 1 >= $3 THEN 'infinity'
           ELSE now() + make_interval(secs => least($4 * 2 ^ least(attempts, 30), $5)) END
       WHERE seq = $1 RETURNING attempts`,
      [seq, short(reason), ATTEMPTS_MAX, jittered(), MAX_RETRY_SECONDS],
    );
    return rows[0]?.attempts ?? 0;
  }

  /**
   * Each lease begins near the last one. Deleted rows leave dead index entries, which a scan from the
   * beginning would read, and a long transaction elsewhere keeps vacuum from removing them. Rows that
   * commit very late are found by reading everything once a second.
   */
  #takeStartSeq(): bigint {
    const nowMs = this.#clockMs();
    if (nowMs - this.#lookedBackMs < LOOK_BACK_MS) return this.#fromSeq;
    this.#lookedBackMs = nowMs;
    return 0n;
  }

  #rememberLast(newRows: readonly OutboxRow[], limit: number): void {
    const last = newRows.at(-1);
    if (last === undefined) return;
    const seq = BigInt(last.seq);
    // With a backlog, rows that commit late are left to the next full read.
    this.#fromSeq = newRows.length >= limit ? seq : seq - LATE_COMMITS;
  }

  #toBatch(rows: OutboxRow[]): LeasedBatch {
    return {
      seqs: rows.map((row) => row.seq),
      entries: rows.map((row) => toEntry(row, this.#queue)),
      leasedUntil: rows[0]?.leased_until ?? new Date(0),
    };
  }
}

function jittered(): number {
  return FIRST_RETRY_SECONDS * (0.75 + Math.random() / 2);
}

function short(reason: string): string {
  return reason.slice(0, REASON_MAX_CHARACTERS).toWellFormed().replaceAll('\0', '');
}

function chunks<T>(items: T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

function toEntry(row: OutboxRow, queue: OutboxQueue): Entry {
  return {
    id: row.id,
    ...(queue === EVENTS_QUEUE ? { event: row.event } : { kind: row.event }),
    accountId: row.account_id,
    createdAt: row.created_at.toISOString(),
    ...(row.occurred_at === null ? {} : { occurredAt: row.occurred_at.toISOString() }),
    data: row.data,
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
  };
}
