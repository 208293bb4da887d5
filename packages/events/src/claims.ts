import type { EventEnvelope } from '@atrium/contracts/events';
import type { Pool } from 'pg';

/** Outbox rows that this relay has taken, all until the same moment. */
export interface Claim {
  seqs: string[];
  events: EventEnvelope[];
  /** Also tells our claim from a later one of another relay. */
  claimedUntil: Date;
}

interface OutboxRow {
  seq: string;
  id: string;
  event: EventEnvelope['event'];
  account_id: string;
  data: EventEnvelope['data'];
  request_id: string | null;
  created_at: Date;
  claimed_until: Date;
}

/** The Postgres side of a relay. */
export class Claims {
  readonly #pool: Pool;
  readonly #claimSeconds: number;

  constructor(pool: Pool, claimSeconds: number) {
    this.#pool = pool;
    this.#claimSeconds = claimSeconds;
  }

  /** Takes the oldest free rows, up to `limit`; those that another relay is taking are skipped. */
  async take(limit: number): Promise<Claim | null> {
    const { rows } = await this.#pool.query<OutboxRow>(
      `WITH free AS MATERIALIZED (
         SELECT seq FROM outbox WHERE claimed_until IS NULL OR claimed_until < now()
         ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       UPDATE outbox SET claimed_until = now() + make_interval(secs => $2)
       FROM free WHERE outbox.seq = free.seq
       RETURNING outbox.seq, id, event, account_id, data, request_id, created_at, claimed_until`,
      [limit, this.#claimSeconds],
    );
    const [first] = rows;
    if (first === undefined) return null;
    rows.sort((a, b) => Number(BigInt(a.seq) - BigInt(b.seq)));
    return {
      seqs: rows.map((row) => row.seq),
      events: rows.map(toEnvelope),
      claimedUntil: first.claimed_until,
    };
  }

  /** The claim, lengthened; null when another relay has taken the rows meanwhile. */
  async extend(claim: Claim): Promise<Claim | null> {
    const { rows } = await this.#pool.query<{ claimed_until: Date }>(
      `UPDATE outbox SET claimed_until = now() + make_interval(secs => $3)
       WHERE seq = ANY($1::bigint[]) AND claimed_until = $2 RETURNING claimed_until`,
      [claim.seqs, claim.claimedUntil, this.#claimSeconds],
    );
    const [first] = rows;
    if (first === undefined || rows.length < claim.seqs.length) return null;
    return { ...claim, claimedUntil: first.claimed_until };
  }

  /** Gives the rows back, for any relay to take at once. */
  async release(claim: Claim): Promise<void> {
    await this.#pool.query(
      `UPDATE outbox SET claimed_until = NULL WHERE seq = ANY($1::bigint[]) AND claimed_until = $2`,
      [claim.seqs, claim.claimedUntil],
    );
  }

  /** Deletes rows whose events have arrived, whoever holds them by now. */
  async remove(claim: Claim): Promise<void> {
    await this.#pool.query('DELETE FROM outbox WHERE seq = ANY($1::bigint[])', [claim.seqs]);
  }
}

function toEnvelope(row: OutboxRow): EventEnvelope {
  return {
    id: row.id,
    event: row.event,
    accountId: row.account_id,
    createdAt: row.created_at.toISOString(),
    data: row.data,
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
  };
}
