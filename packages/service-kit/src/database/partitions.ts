// Why it is so: docs/decisions/0044-what-expires-is-partitioned-by-time.md
import type { Logger } from '../logger.ts';
import { isDatabaseUnavailable } from '../outage.ts';
import type { Sql } from './sql.ts';

const DAY_MS = 86_400_000;
/** More would be dropped closer to their time, but each statement that is planned for any id locks all of them. */
const PARTITIONS_PER_RETENTION = 5;

export interface PartitionOptions {
  retentionDays: number;
  logger: Logger;
  /** Told after each call of `create` until when there are partitions at least. */
  onMade?: (table: string, untilMs: number) => void;
}

/** A table that is partitioned by ids, and with them by time; its migration has the functions called below. */
export interface PartitionedTable {
  name: string;
  /** The least id of the rows made at this time, in Unix milliseconds. */
  boundOf: (ms: number) => string;
}

interface Partition {
  name: string;
  /** Its ids: from this one, and below that one. */
  from: string;
  to: string;
}

export interface Partitions {
  /** Creates the current partition and, ahead of time, at least one more. */
  create(nowMs: number): Promise<void>;
  /**
   * Drops those that hold nothing made since then. Rows that are still needed move to the default partition.
   *
   * @returns how many were dropped
   */
  drop(oldMs: number): Promise<number>;
  /** The least id to keep: where the partition of this time begins, or without one the id of this time. */
  findOldBound(oldMs: number): Promise<string>;
}

const LIST = `
  SELECT c.relname AS name, bounds[1] AS "from", bounds[2] AS "to"
  FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid CROSS JOIN LATERAL
    regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''(.*)''\\) TO \\(''(.*)''\\)') AS bounds
  WHERE inhparent = $1::regclass AND bounds IS NOT NULL ORDER BY 2`;
const CREATE = 'SELECT create_partition($1, $2, $3, $4) AS "isDone"';
const DROP = 'SELECT drop_partition($1, $2) AS "isDone"';

/**
 * Partitions a table. What cannot be done at once, because something uses the table for long or too many rows
 * would have to be moved, is left to the next call.
 */
export function createPartitions(
  database: Sql,
  { name: table, boundOf }: PartitionedTable,
  { retentionDays, logger, onMade }: PartitionOptions,
): Partitions {
  const days = Math.max(1, Math.round(retentionDays / PARTITIONS_PER_RETENTION));
  const list = () => database.query<Partition>(LIST, [table]);

  async function attempt(text: string, values: [partition: string, ...bounds: string[]]) {
    const [partition] = values;
    try {
      const [row] = await database.query<{ isDone: boolean }>(text, [table, ...values]);
      if (row?.isDone === true) return 'done';
      logger.warn({ partition }, 'partition left as it is: too many rows would have to be moved');
      return 'tooMany';
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      logger.warn({ partition, err: error }, 'partition left to the next run');
      return 'failed';
    }
  }

  return {
    async create(nowMs) {
      const known = await list();
      let fromMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
      while (fromMs <= nowMs + days * DAY_MS) {
        const lower = boundOf(fromMs);
        if (known.some(({ from, to }) => from <= lower && lower < to)) {
          fromMs += DAY_MS;
          continue;
        }
        const name = `${table}_${new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '_')}`;
        const toMs = fromMs + days * DAY_MS;
        // One that a clock has made too early may follow.
        const next = known.find(({ from }) => from > lower)?.from ?? boundOf(toMs);
        const upper = next < boundOf(toMs) ? next : boundOf(toMs);
        const outcome = await attempt(CREATE, [name, lower, upper]);
        if (outcome === 'failed') break;
        // What has filled up the default partition until today stays there.
        fromMs = outcome === 'done' ? toMs : fromMs + DAY_MS;
      }
      onMade?.(table, fromMs);
    },

    async drop(oldMs) {
      let dropped = 0;
      for (const { name, to } of await list()) {
        if (to <= boundOf(oldMs) && (await attempt(DROP, [name])) === 'done') dropped += 1;
      }
      return dropped;
    },

    async findOldBound(oldMs) {
      const old = boundOf(oldMs);
      return (await list()).find(({ from, to }) => from <= old && old < to)?.from ?? old;
    },
  };
}
