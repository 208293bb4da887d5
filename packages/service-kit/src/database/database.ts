import pg from 'pg';
import type { Logger } from '../logger.ts';
import { isDatabaseUnavailable, isTransactionConflict } from '../outage.ts';

export { isDatabaseUnavailable } from '../outage.ts';

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Added to the server's own limit, for a server that does not respond any more. */
const SILENCE_MS = 2000;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Something that runs SQL: the pool, or one transaction. */
export interface Sql {
  /** Prepares each statement once per connection: planning costs more than running most of them. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

export interface Database extends Sql, AsyncDisposable {
  readonly pool: pg.Pool;
  /**
   * Runs `work` in one transaction, which is rolled back when it throws. It runs a second time when the
   * transaction lost against another one, so it has no effect but that of its statements.
   */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>;
  /** Runs queries that all see the database as it is at one moment, and change nothing. */
  snapshot<T>(read: (tx: Sql) => Promise<T>): Promise<T>;
  /** Resolves when Postgres answers. */
  check(): Promise<void>;
}

/** Every connection keeps its prepared statements, so further ones are not prepared. */
const PREPARED_MAX = 500;
const names = new Map<string, string>();

function nameOf(text: string): { name?: string } {
  const known = names.get(text);
  if (known !== undefined) return { name: known };
  if (names.size >= PREPARED_MAX) return {};
  const name = `statement-${names.size + 1}`;
  names.set(text, name);
  return { name };
}

async function run<Row extends object>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const prepared = nameOf(text);
  const result = await client.query<Row>({ text, values: [...values], ...prepared });
  return result.rows;
}

async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Sql) => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  const client = await pool.connect();
  // A connection in an unknown state is closed, which rolls back too, and not given back.
  let isClean = false;
  try {
    await client.query(begin);
    const result = await work({ query: (text, values) => run(client, text, values) });
    await client.query('COMMIT');
    isClean = true;
    return result;
  } catch (error) {
    // A server that is unavailable or silent would make the ROLLBACK wait for another timeout.
    const isAnswering = isTransactionConflict(error) || !isDatabaseUnavailable(error);
    isClean = isAnswering && (await rollBack(client));
    throw error;
  } finally {
    client.release(!isClean);
  }
}

function rollBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

/**
 * Runs a whole transaction, and once more when it was rolled back in a deadlock or a serialization failure:
 * what it lost against has been committed by then.
 */
async function retryConflict<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (isTransactionConflict(error)) return transaction();
    throw error;
  }
}

/**
 * A pool of connections to one database. Nothing connects before the first query. Connecting takes
 * at most 2 s, a statement at most 10 s; such failures satisfy `isDatabaseUnavailable`.
 *
 * @param options.max connections held at most (10)
 * @param options.statementTimeoutMs for one statement (10000)
 * @param options.connectTimeoutMs for connecting, and for waiting while all of them are in use (2000)
 * @param options.applicationName how the connections show in `pg_stat_activity`
 */
export function openDatabase(options: {
  url: string;
  max?: number;
  statementTimeoutMs?: number;
  connectTimeoutMs?: number;
  applicationName: string;
  logger?: Logger;
}): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max ?? 10,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    // Prisma writes and reads times as UTC without saying so. No statement runs long enough to be worth
    // compiling, which Postgres may decide to do when it overestimates one.
    options: '-c TimeZone=UTC -c jit=off',
  });
  // A connection that is lost emits an error, which ends the process without a listener. The pool
  // listens only while a connection is idle, so each gets its own listener. Code that was using the
  // connection sees its query fail.
  const logLoss = (error: Error) => {
    options.logger?.warn({ err: error }, 'a database connection was lost');
  };
  pool.on('connect', (client) => client.on('error', logLoss));
  // The listener above has already logged what the pool emits again.
  pool.on('error', () => undefined);
  return {
    pool,
    query: (text, values) => retryConflict(() => run(pool, text, values)),
    transaction: (work) => retryConflict(() => inTransaction(pool, work)),
    snapshot: (read) => inTransaction(pool, read, BEGIN_SNAPSHOT),
    async check() {
      await pool.query('SELECT 1');
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
    },
  };
}

/** What a Prisma transaction client offers for raw SQL. */
interface PrismaTransaction {
  $queryRawUnsafe<Result>(text: string, ...values: unknown[]): PromiseLike<Result>;
}

/** Milliseconds to get a connection, and to commit. */
const PRISMA_LIMITS = { maxWait: 5000, timeout: STATEMENT_TIMEOUT_MS };

/** The interactive transactions of a Prisma client. */
interface PrismaTransactions<Tx> {
  $transaction<Result>(
    work: (tx: Tx) => Promise<Result>,
    limits: typeof PRISMA_LIMITS,
  ): Promise<Result>;
}

/** `Database.transaction` with the typed queries of Prisma; it runs `work` a second time in the same cases. */
export function prismaTransaction<Tx, Result>(
  prisma: PrismaTransactions<Tx>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return retryConflict(() => prisma.$transaction(work, PRISMA_LIMITS));
}

/** Options for every `PrismaPg` adapter: its statements are prepared, as those of `Sql` are. */
export const PRISMA_OPTIONS = {
  statementNameGenerator: ({ sql }: { sql: string }) => nameOf(sql).name ?? '',
};

/**
 * Raw SQL inside a Prisma transaction, with the row values of `Database`. Two things differ: a
 * column of type `void` must be cast (`pg_advisory_xact_lock(…)::text`), and errors are Prisma's.
 */
export function sqlOf(tx: PrismaTransaction): Sql {
  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      const rows = await tx.$queryRawUnsafe<Row[]>(text, ...values);
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          if (typeof value === 'bigint') Object.assign(row, { [column]: String(value) });
          if (value instanceof Uint8Array) Object.assign(row, { [column]: Buffer.from(value) });
        }
      }
      return rows;
    },
  };
}
