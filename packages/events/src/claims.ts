import type { Message } from '@atrium/contracts/account-messages';
import type { EventEnvelope } from '@atrium/contracts/events';
import { EVENTS_QUEUE, type OutboxQueue } from '@atrium/contracts/queues';
import type { Pool } from 'pg';

/** What one row carries. Messages are checked where they arrive. */
export type Entry = EventEnvelope | Pick<Message, 'id' | 'accountId' | 'createdAt'>;

/** Outbox rows that this relay has taken, all until the same moment. */
export interface Claim {
  seqs: string[];
  entries: Entry[];
  /** Also tells our claim from a later one of another relay. */
  claimedUntil: Date;
}

/** What one look at the outbox found. */
export interface Taken {
  claims: Claim[];
  /** There may be more rows than were taken. */
  isFull: boolean;
}

interface OutboxRow {
  seq: string;
  id: string;
  event: string;
  account_id: string;
  data: EventEnvelope['data'];
  request_id: string | null;
  created_at: Date;
  leased_until: Date;
  attempts: number;
  /** Never taken before. */
  is_new: boolean;
}

/** Rows that have failed so often go alone: one that can never succeed then holds up no other. */
const ATTEMPTS_TOGETHER = 2;
/** A queue whose consumer is broken wears no row out: only what its consumer names goes further. */
const ATTEMPTS_OF_A_BATCH = 6;
/** Messages named as failing so often are set aside: by then about 20 hours have gone by. */
export const ATTEMPTS_MAX = 20;
const FIRST_RETRY_SECONDS = 0.5;
const MAX_RETRY_SECONDS = 4 * 3600;
const REASON_MAX_CHARACTERS = 500;
/** So often the whole queue is looked through, and not only what is newer than the last claim. */
const LOOK_BACK_MS = 1_000;
/** Numbers are given out in order but commit in any: so far back the next claim begins. */
const LATE_COMMITS = 1_000n;

// Both reads are ranges of the index (queue, due_at NULLS FIRST, seq), in its order: neither sorts,
// and neither walks over rows that wait for another time or belong to another queue, only over the
// few that are on their way. The order is spelled out in full because Postgres does not see that IS
// NULL makes the column constant. A locked row keeps its place (ctid) until the statement ends, and
// leased_until is in no index: taking a row rewrites it within its page and nothing else.
const TAKE = `
  WITH due AS MATERIALIZED (
    SELECT ctid FROM outbox
    WHERE queue = $1 AND due_at <= now() AND (leased_until IS NULL OR leased_until < now())
    ORDER BY queue, due_at NULLS FIRST, seq LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), fresh AS MATERIALIZED (
    SELECT ctid FROM outbox
    WHERE queue = $1 AND due_at IS NULL AND seq > $3::bigint
      AND (leased_until IS NULL OR leased_until < now())
    ORDER BY queue, due_at NULLS FIRST, seq LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE outbox SET leased_until = now() + make_interval(secs => $4)
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM due UNION ALL SELECT ctid FROM fresh))
  RETURNING seq, id, event, account_id, data, request_id, created_at, leased_until, attempts,
    due_at IS NULL AS is_new`;

/** The Postgres side of one lane: the rows of one queue. */
export class Claims {
  readonly #pool: Pool;
  readonly #queue: OutboxQueue;
  readonly #claimSeconds: number;
  readonly #clockMs: () => number;
  #fromSeq = 0n;
  #lookedBackMs = 0;

  /** @param clockMs a clock that only goes forward */
  constructor(
    pool: Pool,
    queue: OutboxQueue,
    claimSeconds: number,
    clockMs: () => number = () => performance.now(),
  ) {
    this.#pool = pool;
    this.#queue = queue;
    this.#claimSeconds = claimSeconds;
    this.#clockMs = clockMs;
  }

  /**
   * Takes up to `limit` new rows and as many whose time has come again, oldest first, as batches of
   * at most `limit`. Rows that another relay is taking are skipped.
   */
  async take(limit: number): Promise<Taken> {
    const { rows } = await this.#pool.query<OutboxRow>(TAKE, [
      this.#queue,
      limit,
      String(this.#startSeq()),
      this.#claimSeconds,
    ]);
    rows.sort((a, b) => Number(a.seq) - Number(b.seq));
    const newRows = rows.filter((row) => row.is_new);
    this.#moveOn(newRows, limit);
    const isFull = newRows.length >= limit || rows.length - newRows.length >= limit;
    const together = rows.filter((row) => row.attempts < ATTEMPTS_TOGETHER);
    const alone = rows.filter((row) => row.attempts >= ATTEMPTS_TOGETHER);
    const batches = [...chunks(together, limit), ...alone.map((row) => [row])];
    return { claims: batches.map((batch) => this.#toClaim(batch)), isFull };
  }

  /** The claim, lengthened; null when another relay has taken the rows meanwhile. */
  async extend(claim: Claim): Promise<Claim | null> {
    const { rows } = await this.#pool.query<{ leased_until: Date }>(
      `UPDATE outbox SET leased_until = now() + make_interval(secs => $3)
       WHERE seq = ANY($1::bigint[]) AND leased_until = $2 RETURNING leased_until`,
      [claim.seqs, claim.claimedUntil, this.#claimSeconds],
    );
    const [first] = rows;
    if (first === undefined || rows.length < claim.seqs.length) return null;
    return { ...claim, claimedUntil: first.leased_until };
  }

  /** Gives the rows back, for any relay to take at once. */
  async release(claim: Claim): Promise<void> {
    await this.#pool.query(
      `UPDATE outbox SET leased_until = NULL WHERE seq = ANY($1::bigint[]) AND leased_until = $2`,
      [claim.seqs, claim.claimedUntil],
    );
  }

  /** Deletes rows that have arrived, whoever holds them by now. */
  async remove(seqs: string[]): Promise<void> {
    await this.#pool.query('DELETE FROM outbox WHERE seq = ANY($1::bigint[])', [seqs]);
  }

  /** The batch as a whole failed: its rows wait, half a second at first and half a minute at last. */
  async postpone(claim: Claim, reason: string): Promise<void> {
    await this.#pool.query(
      `UPDATE outbox SET attempts = greatest(attempts, least(attempts + 1, $4)),
         leased_until = NULL, due_at = now() + make_interval(secs => $5 * 2 ^ least(attempts, $4 - 1)),
         last_error = $3
       WHERE seq = ANY($1::bigint[]) AND leased_until = $2`,
      [claim.seqs, claim.claimedUntil, short(reason), ATTEMPTS_OF_A_BATCH, jittered()],
    );
  }

  /**
   * The consumer named this row as one that it could not handle. It waits, longer each time, and is
   * set aside after the last attempt; answers the attempts so far.
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
   * Each claim begins near the last: what was just taken and deleted leaves dead index entries that
   * it would walk over, more of them the longer a transaction elsewhere keeps them from being
   * cleaned away. Rows that commit very late are found by looking back once a second.
   */
  #startSeq(): bigint {
    const nowMs = this.#clockMs();
    if (nowMs - this.#lookedBackMs < LOOK_BACK_MS) return this.#fromSeq;
    this.#lookedBackMs = nowMs;
    return 0n;
  }

  #moveOn(newRows: readonly OutboxRow[], limit: number): void {
    const last = newRows.at(-1);
    if (last === undefined) return;
    const seq = BigInt(last.seq);
    // With more rows behind them there is no time to look for those that commit late.
    this.#fromSeq = newRows.length >= limit ? seq : seq - LATE_COMMITS;
  }

  #toClaim(rows: OutboxRow[]): Claim {
    return {
      seqs: rows.map((row) => row.seq),
      entries: rows.map((row) => toEntry(row, this.#queue)),
      claimedUntil: rows[0]?.leased_until ?? new Date(0),
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
    data: row.data,
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
  };
}
