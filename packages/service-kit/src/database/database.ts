import type { OutboxQueue } from '@atrium/contracts/queues';
import type { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import type { ProcessTracing } from '../tracing/tracing.ts';
import { adapterOf, LendingPool, type PrismaLike, type PrismaQueries } from './prisma-queries.ts';
import { sessionOf } from './pooler.ts';
import { runStatement, type Sql } from './sql.ts';
import {
  onConnection,
  type Origin,
  retryConflict,
  runTransaction,
  type Transaction,
} from './transaction.ts';

export { isDatabaseUnavailable } from '../outage.ts';
export type { Sql } from './sql.ts';
export { type Origin, originOf, type Transaction } from './transaction.ts';

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Added to the server's own limit, for a server that does not respond any more. */
const SILENCE_MS = 2000;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** @typeParam Client the `PrismaClient` of the service, if it has typed queries */
export interface Database<Client = unknown> extends Sql, AsyncDisposable {
  readonly pool: pg.Pool;
  /** Typed queries, for reading and writing by key. */
  readonly prisma: PrismaQueries<Client>;
  /**
   * Runs `work` in one transaction, which is rolled back when it throws; everything that is written with
   * other writes, tells of a write, or must not happen twice, is done here. It runs a second time after
   * a deadlock or a serialization failure, so it must have no effects but its statements and those of `tx`.
   *
   * @throws HttpError `outcome-unknown` when the connection was lost during the COMMIT; it satisfies
   *   `isDatabaseUnavailable` too, for jobs, which may run again
   */
  transaction<Result>(
    origin: Origin,
    work: (tx: Transaction<Client>) => Promise<Result>,
  ): Promise<Result>;
  /** Runs queries that all see the database as it is at one moment, and change nothing. */
  snapshot<Result>(read: (tx: Sql) => Promise<Result>): Promise<Result>;
  /** Has the relay of the outbox woken after commits that wrote to it. */
  wakeAfterCommit(wake: (queue: OutboxQueue, delayMs?: number) => void): void;
  /** Resolves when Postgres answers. */
  check(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  /** Connections held at most (10). */
  max?: number;
  /** The longest that one statement may take (10000). */
  statementTimeoutMs?: number;
  /** The longest wait to connect, and for a connection while all are in use (2000). */
  connectTimeoutMs?: number;
  /** Settings of each session, by their names in Postgres. */
  settings?: Readonly<Record<string, string>>;
  /** How the connections show in `pg_stat_activity`. */
  applicationName: string;
  logger?: Logger;
  /** What transactions write to the outbox carries their traces. */
  tracing?: ProcessTracing | undefined;
}

/**
 * A pool of connections to one database. Nothing connects before the first query. Work waits
 * at most 2 s for the share of its account and 2 s for a connection, and a statement takes at most 10 s; such failures satisfy `isDatabaseUnavailable`.
 *
 * @param options.createPrisma for typed queries on the same connections
 */
export function openDatabase<Client extends PrismaLike | undefined = undefined>(
  options: DatabaseOptions & { createPrisma?: (adapter: PrismaPg) => Client },
): Database<Client> {
  const { tracing } = options;
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const { settings, beginning, nameStatement } = sessionOf(
    options.url,
    {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    },
    options.settings,
  );
  const pool = new LendingPool({
    ...settings,
    connectionString: options.url,
    max: options.max ?? 10,
    application_name: options.applicationName,
    waitMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    keepAlive: true,
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
  const prisma = options.createPrisma?.(adapterOf(pool, nameStatement));
  const begin = `BEGIN${beginning}`;
  let wakeRelay: (queue: OutboxQueue, delayMs?: number) => void = () => undefined;
  return {
    pool,
    // Without `createPrisma`, `Client` is undefined, which has no queries.
    prisma: prisma as PrismaQueries<Client>,
    query: (text, values) =>
      retryConflict(() =>
        beginning === ''
          ? runStatement(pool, text, values, nameStatement)
          : onConnection(pool, begin, (client) =>
              runStatement(client, text, values, nameStatement),
            ),
      ),
    transaction: (origin, work) =>
      retryConflict(() =>
        runTransaction(
          { pool, prisma: prisma as Client, origin, wakeRelay, tracing, begin, nameStatement },
          work,
        ),
      ),
    snapshot: (read) =>
      onConnection(pool, BEGIN_SNAPSHOT + beginning, (client) =>
        read({ query: (text, values) => runStatement(client, text, values, nameStatement) }),
      ),
    wakeAfterCommit(wake) {
      wakeRelay = wake;
    },
    async check() {
      await pool.query('SELECT 1');
    },
    async [Symbol.asyncDispose]() {
      await prisma?.$disconnect();
      await pool.end();
    },
  };
}
