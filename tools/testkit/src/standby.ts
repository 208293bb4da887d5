import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseUrl, type LocalServer, startPostgres } from '@atrium/local-stack/servers';
import { withClient } from './connection.ts';
import type { TestDatabase } from './database.ts';
import { migrateDatabase } from './migrate.ts';
import { type Outage, startOutage } from './outage.ts';
import type { DatabaseOwner } from './servers.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export interface Replication {
  primary: LocalServer;
  standby: LocalServer;
  /** The connection between the two. */
  link: Outage;
}

/**
 * Starts a primary and a standby that follows it, both stopped by the stack.
 *
 * @param folder an empty one, which every user may enter
 * @param settings of the primary
 */
export async function startReplication(
  stack: AsyncDisposableStack,
  folder: string,
  { durable = true, settings = {} }: { durable?: boolean; settings?: Record<string, string> } = {},
): Promise<Replication> {
  const [primaryDir, standbyDir] = [join(folder, 'primary'), join(folder, 'standby')];
  const first = await startPostgres({ dataDir: primaryDir, durable });
  await first.stop();
  // A copy of a stopped server, for which the packaged Postgres has no `pg_basebackup`.
  await run('cp', ['-a', primaryDir, standbyDir]);
  const primary = await startPostgres({ dataDir: primaryDir, durable, settings });
  stack.defer(() => primary.stop());
  const link = stack.use(await startOutage(primary.url));
  const { hostname, port, username, password } = new URL(link.url);
  const address = `host=${hostname} port=${port} user=${username} password=${password}`;
  const cluster = join(standbyDir, 'cluster');
  await writeFile(join(cluster, 'standby.signal'), '');
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
  const standby = await startPostgres({ dataDir: standbyDir, durable });
  stack.defer(() => standby.stop());
  return { primary, standby, link };
}

/** A database with a standby, both on servers of their own. */
export interface ReplicatedDatabase extends TestDatabase {
  /** The URL of the standby, through `outage`. */
  readUrl: string;
  outage: Outage;
  /** Until it is resumed, the standby shows the database as it is now. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
}

/** @param owner whose migrations are run; none without it */
export async function createReplicatedDatabase(owner?: DatabaseOwner): Promise<ReplicatedDatabase> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-replication-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  const { primary, standby } = await startReplication(stack, folder, {
    durable: false,
    // As in production, a commit is on the disk before it is answered.
    settings: { synchronous_commit: 'on' },
  });
  const name = 'replicated';
  const url = databaseUrl(primary.url, name);
  if (owner === undefined) {
    await withClient(primary.url, (client) => client.query(`CREATE DATABASE ${name}`));
  } else await migrateDatabase(owner, { DATABASE_URL: url });
  const outage = stack.use(await startOutage(databaseUrl(standby.url, name)));
  const kept = stack.move();
  const onStandby = (text: string) =>
    withClient(standby.url, (client) => client.query<{ done: boolean }>(text));
  const catchUp = () =>
    withClient(primary.url, async (client) => {
      const { rows } = await client.query<{ lsn: string }>(
        'SELECT pg_current_wal_flush_lsn()::text AS lsn',
      );
      await until(async () => {
        const replayed = await onStandby(
          `SELECT pg_last_wal_replay_lsn() >= '${rows[0]?.lsn}'::pg_lsn AS done`,
        );
        return replayed.rows[0]?.done === true;
      });
    });
  await catchUp();
  return {
    url,
    readUrl: outage.url,
    outage,
    async pauseReplay() {
      await catchUp();
      await onStandby('SELECT pg_wal_replay_pause()');
      await until(async () => {
        const { rows } = await onStandby(
          "SELECT pg_get_wal_replay_pause_state() = 'paused' AS done",
        );
        return rows[0]?.done === true;
      });
    },
    async resumeReplay() {
      await onStandby('SELECT pg_wal_replay_resume()');
      await catchUp();
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Metrics {
  getSingleMetric(
    name: string,
  ):
    | { get(): Promise<{ values: { labels: Partial<Record<string, unknown>>; value: number }[] }> }
    | undefined;
}

/** How many reads the standby has answered, and why the primary has answered others. */
export async function readResults(metrics: Metrics): Promise<Record<string, number>> {
  const counted = await metrics.getSingleMetric('replica_reads_total')?.get();
  const entries = (counted?.values ?? []).map(({ labels, value }) => [labels['result'], value]);
  return Object.fromEntries(entries);
}

/** Reads until the standby answers: by then it has what the reader has changed. */
export async function untilStandbyAnswers<Result>(
  metrics: Metrics,
  read: () => Promise<Result>,
): Promise<Result> {
  return until(async () => {
    const { standby: before = 0 } = await readResults(metrics);
    const result = await read();
    const { standby: after = 0 } = await readResults(metrics);
    return after > before && { result };
  }).then(({ result }) => result);
}
