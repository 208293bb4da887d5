// Why it is so: docs/decisions/0043-reads-that-may-be-old.md
import type { PrismaPg } from '@prisma/adapter-pg';
import { Counter, Gauge } from 'prom-client';
import { HttpError } from '../http-error.ts';
import type { ProcessContext } from '../lifecycle.ts';
import type { Metrics } from '../metrics.ts';
import type { RedisHandle } from '../redis.ts';
import { type Database, openDatabase } from './database.ts';
import type { PrismaLike } from './prisma-queries.ts';
import { createRecentChanges, RECONNECT_MS } from './recent-changes.ts';
import { measureReplicaLag } from './replica-lag.ts';
import type { Sql } from './sql.ts';

const MAX_LAG_MS = 5_000;
const CONNECT_TIMEOUT_MS = 500;
const READ_TIMEOUT_MS = 2_000;

/** What may be read from a standby. */
type Reads<Client> = Pick<Database<Client>, 'query' | 'prisma'>;

/** Where the reads of accounts go that may be some seconds old; the primary answers them without a standby. */
export interface ReadReplica<Client = unknown> {
  /**
   * Runs a read on the standby, or on the primary when the standby may lack what this account has changed or been told
   * of, is too far behind, fails, or takes longer than 2 s. `read` may run twice.
   */
  read<Result>(
    accountId: string,
    read: (database: Reads<Client>) => Promise<Result>,
  ): Promise<Result>;
  /** What the account reads from now on is not older than this moment. Undefined without a standby. */
  readonly onChange: ((accountId: string) => Promise<void>) | undefined;
}

export interface ReplicaOptions<Client> {
  /** The URL of one standby; undefined when there is none. */
  url: string | undefined;
  /** The primary. */
  database: Database<Client>;
  /** The primary by a connection that waits behind no request. */
  probe: Sql;
  createPrisma: (adapter: PrismaPg) => Client;
  /** Names the process, and its keys in Redis. */
  name: string;
  redis: RedisHandle;
  queuePrefix: string;
  metrics: Metrics;
  /** Only tests change them. */
  timeouts?: ReplicaTimeouts | undefined;
}

export interface ReplicaTimeouts {
  connectTimeoutMs?: number;
  /** The lag beyond which the primary answers all reads (5000). */
  maxLagMs?: number;
  /** The longest that a whole read may take before the primary answers (2000). */
  readTimeoutMs?: number;
}

/** Opens the standby on the stack of the process, which starts all the same when it is away. */
export async function openReadReplica<Client extends PrismaLike>(
  { stack, logger }: Pick<ProcessContext, 'stack' | 'logger'>,
  options: ReplicaOptions<Client>,
): Promise<ReadReplica<Client>> {
  const { url, database: primary, createPrisma, name, timeouts } = options;
  if (url === undefined) return { read: (_accountId, read) => read(primary), onChange: undefined };
  const { maxLagMs = MAX_LAG_MS, readTimeoutMs = READ_TIMEOUT_MS } = timeouts ?? {};
  const standby = stack.use(
    openDatabase({
      url,
      applicationName: `${name}-reads`,
      logger,
      createPrisma,
      statementTimeoutMs: readTimeoutMs,
      connectTimeoutMs: timeouts?.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    }),
  );
  const lag = stack.use(
    await measureReplicaLag({ primary: options.probe, standby, maxLagMs, logger }),
  );
  const changes = createRecentChanges({
    redis: options.redis.client,
    keyPrefix: `${options.queuePrefix}:${name}`,
    keptMs: maxLagMs + RECONNECT_MS,
  });
  const counted = countReads(options.metrics, () => lag.lagMs());

  async function readStandby<Result>(
    read: (database: Reads<Client>) => Promise<Result>,
  ): Promise<{ result: Result } | undefined> {
    try {
      return { result: await inTime(read(standby), readTimeoutMs) };
    } catch (error) {
      // It says what is wrong with the request.
      if (error instanceof HttpError) throw error;
      // Whether the standby is away, the next measurement tells: it may be this read alone that takes too long.
      return undefined;
    }
  }

  return {
    async read(accountId, read) {
      if (lag.lagMs() >= maxLagMs) {
        counted.inc({ result: 'behind' });
        return read(primary);
      }
      // The lag is read last: it grows while Redis is asked.
      if ((await changes.sinceMs(accountId)) <= lag.lagMs()) {
        counted.inc({ result: 'changed' });
        return read(primary);
      }
      const answer = await readStandby(read);
      counted.inc({ result: answer === undefined ? 'failed' : 'standby' });
      return answer === undefined ? read(primary) : answer.result;
    },
    onChange: (accountId) => changes.record(accountId),
  };
}

/** @throws Error when the work takes longer */
async function inTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the standby was too slow')), timeoutMs);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Registers what is measured of a standby. */
export function countReads(metrics: Metrics, lagMs: () => number): Counter<'result'> {
  new Gauge({
    name: 'replica_lag_seconds',
    help: 'How far the standby that answers reads is behind at most; +Inf while it is away',
    registers: [metrics],
    collect() {
      this.set(lagMs() / 1000);
    },
  });
  return new Counter({
    name: 'replica_reads_total',
    help: 'Reads that may be old: answered by the standby, or why they were answered by the primary',
    labelNames: ['result'] as const,
    registers: [metrics],
  });
}
