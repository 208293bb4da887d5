import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@atrium/contracts/account-messages';
import { EVENTS_QUEUE, type OutboxQueue } from '@atrium/contracts/queues';
import {
  appendEvent,
  appendEvents,
  appendMessages,
  type CausedEvent,
  type NewEvent,
  type NewMessage,
} from '@atrium/events/outbox';
import type pg from 'pg';
import { runForHolder } from '../holder.ts';
import { HttpError } from '../http-error.ts';
import type { ProcessTracing } from '../tracing/tracing.ts';
import { isDatabaseUnavailable, isTransactionConflict, mayHaveCommitted } from '../outage.ts';
import { type NameStatement, runStatement, type Sql } from './sql.ts';
import { joinTransaction, type PrismaLike, type PrismaQueries } from './prisma-queries.ts';

/** At most. */
const RETRY_PAUSE_MS = 50;

/** Why something is written: a request, whose id all events and messages carry to the end, or a job. */
export type Origin = { readonly requestId: string } | { readonly job: string };

/** What a message was sent for, a transaction that it leads to is for. */
export function originOf({ requestId, kind }: Pick<Message, 'requestId' | 'kind'>): Origin {
  return requestId === undefined ? { job: kind } : { requestId };
}

/** One transaction. Its queries run one after the other, on one connection. */
export interface Transaction<Client = unknown> extends Sql {
  /** Typed queries, for reading and writing by key. */
  readonly prisma: PrismaQueries<Client>;
  /** The request that the transaction is for. */
  readonly requestId: string | undefined;
  /** The trace that an entry for this account carries on, if the process traces. */
  traceparentFor(accountId: string): string | undefined;
  /** Writes an event or a message to the outbox, from where it is sent after the commit. */
  append(entry: NewEvent | NewMessage): Promise<void>;
  /** Writes messages to other services in one statement. */
  appendMessages(messages: readonly NewMessage[]): Promise<void>;
  /** Writes events in one statement, each for the request that has caused it. */
  appendFor(events: readonly CausedEvent[]): Promise<void>;
  /**
   * After a commit the relay of this queue looks at once; `append` has it done.
   *
   * @param delayMs when it looks a second time, for what is sent later
   */
  wakeRelay(queue: OutboxQueue, delayMs?: number): void;
  /** Runs once after the commit, and never when the transaction is rolled back. It must not throw. */
  afterCommit(callback: () => void): void;
}

interface TransactionOptions<Client> {
  pool: pg.Pool;
  prisma: Client;
  origin: Origin;
  wakeRelay: (queue: OutboxQueue, delayMs?: number) => void;
  begin: string;
  nameStatement: NameStatement;
  tracing: ProcessTracing | undefined;
}

/**
 * Runs `work` between BEGIN and COMMIT, or ROLLBACK when it throws.
 *
 * @throws HttpError `outcome-unknown`, which satisfies `isDatabaseUnavailable`
 */
export async function runTransaction<Client extends PrismaLike | undefined, Result>(
  { pool, prisma, origin, wakeRelay, tracing, begin, nameStatement }: TransactionOptions<Client>,
  work: (tx: Transaction<Client>) => Promise<Result>,
): Promise<Result> {
  const afterCommit: (() => void)[] = [];
  const requestId = 'requestId' in origin ? origin.requestId : undefined;
  const inTransaction = async (client: pg.PoolClient) => {
    const joined = joinTransaction(prisma, client);
    const tx: Transaction<Client> = {
      prisma: joined.queries,
      requestId,
      traceparentFor: (accountId) => tracing?.traceparentFor(origin, accountId),
      query: (text, values) => runStatement(client, text, values, nameStatement),
      async append(entry) {
        if ('queue' in entry) return tx.appendMessages([entry]);
        const traceparent = tx.traceparentFor(entry.accountId);
        await appendEvent(tx, entry, { requestId, traceparent });
        tx.wakeRelay(EVENTS_QUEUE);
      },
      async appendMessages(messages) {
        if (messages.length === 0) return;
        const caused = messages.map((message) => {
          const traceparent = tx.traceparentFor(message.accountId);
          return { ...message, requestId, traceparent };
        });
        await appendMessages(tx, caused);
        for (const { queue, delayMs } of messages) tx.wakeRelay(queue, delayMs);
      },
      async appendFor(events) {
        if (events.length === 0) return;
        await appendEvents(
          tx,
          tracing === undefined
            ? events
            : events.map((event) => ({
                ...event,
                traceparent: event.traceparent ?? tx.traceparentFor(event.accountId),
              })),
        );
        tx.wakeRelay(EVENTS_QUEUE);
      },
      wakeRelay: (queue, delayMs) => afterCommit.push(() => wakeRelay(queue, delayMs)),
      afterCommit: (callback) => afterCommit.push(callback),
    };
    try {
      return await work(tx);
    } finally {
      await joined.end();
    }
  };
  const result = await onConnection(pool, begin, inTransaction, commitWrites);
  // What they start works for everybody.
  runForHolder(undefined, () => afterCommit.forEach((callback) => callback()));
  return result;
}

const commit = (client: pg.PoolClient): Promise<unknown> => client.query('COMMIT');

/** A transaction that may have been committed must not look as if it could be repeated. */
async function commitWrites(client: pg.PoolClient): Promise<void> {
  try {
    await commit(client);
  } catch (error) {
    if (!mayHaveCommitted(error)) throw error;
    throw new HttpError('outcome-unknown', undefined, { cause: error });
  }
}

/** Runs `work` in a transaction on a connection of its own. */
export async function onConnection<Result>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<Result>,
  end: (client: pg.PoolClient) => Promise<unknown> = commit,
): Promise<Result> {
  const client = await pool.connect();
  // A connection in an unknown state is closed, which rolls back too, and not given back.
  let isClean = false;
  try {
    await client.query(begin);
    const result = await work(client);
    await end(client);
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
 * Runs a whole transaction, and once more after a deadlock or a serialization failure: the transaction that won
 * has been committed by then.
 */
export async function retryConflict<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!isTransactionConflict(error)) throw error;
    // At once, it could meet the same one again, which has just been woken.
    await sleep(Math.random() * RETRY_PAUSE_MS);
    return transaction();
  }
}
