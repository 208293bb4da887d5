import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@atrium/local-stack/ports';
import { startPostgres } from '@atrium/local-stack/servers';
import { serverUser } from '@atrium/local-stack/servers/server-user';
import { findProgram } from './programs.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from './start-server.ts';

const OUTAGE_MS = 5_000;

interface PgBouncer {
  /** For the services, of any database. */
  url: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Sends new transactions to the server on this port. */
  switchTo(port: number): Promise<void>;
}

/** PgBouncer in transaction mode between the services and Postgres; PgBouncer is killed. */
export const pgbouncer: Scenario = {
  name: 'pgbouncer',
  title: 'PgBouncer (transactions): kill -9 for 5 s',
  needs: ['pgbouncer'],
  async prepare(stack, folder) {
    const server = await startPostgres({ dataDir: join(folder, 'postgres') });
    stack.defer(() => server.stop());
    const pooler = await startPgBouncer(stack, join(folder, 'pgbouncer'), server.url);
    return {
      env: { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: server.url },
      fault: {
        durationMs: OUTAGE_MS,
        async inject(_environment, _receiver, signal) {
          await pooler.kill();
          await sleep(OUTAGE_MS, undefined, { signal });
          await pooler.restart();
        },
      },
    };
  },
};

/** @param serverUrl of the first server; others have the same password */
export async function startPgBouncer(
  stack: AsyncDisposableStack,
  folder: string,
  serverUrl: string,
): Promise<PgBouncer> {
  const command = await findProgram('pgbouncer');
  const port = await findFreePort();
  const { username, password, port: serverPort } = new URL(serverUrl);
  await mkdir(folder);
  // PgBouncer refuses to run as root, and reads its files as another user.
  await chmod(folder, 0o755);
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  await writeFile(users, `"${username}" "${password}"\n`);
  const configure = (toPort: number | string) =>
    writeFile(file, configuration(port, users, toPort));
  await configure(serverPort);
  const identity = await serverUser(folder, [file]);
  const start = () => startServer(stack, { command, args: [file], port, folder, identity });
  let running = await start();
  const url = new URL(serverUrl);
  url.port = String(port);
  url.searchParams.set('pgbouncer', 'true');
  return {
    url: url.href,
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    async restart() {
      running = await start();
    },
    async switchTo(toPort) {
      await configure(toPort);
      // It reads its configuration again, and closes the connections of before.
      process.kill(running.pid, 'SIGHUP');
    },
  };
}

function configuration(port: number, users: string, serverPort: number | string): string {
  return `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 15
server_login_retry = 1
server_connect_timeout = 2
`;
}
