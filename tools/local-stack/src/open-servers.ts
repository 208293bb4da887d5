// Why it is so: docs/decisions/0004-tools-that-install-anywhere.md
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readVariable } from './environment.ts';
import type { UnexpectedExit } from './processes/managed-process.ts';
import { type LocalServer, startPostgres, startRedis } from './servers/servers.ts';

interface OpenServers extends AsyncDisposable {
  databaseServerUrl: string;
  redisUrl: string;
}

/** The servers of DATABASE_URL and REDIS_URL; starts those that are not given. */
export async function openServers(options: {
  env: NodeJS.ProcessEnv;
  dataDir: string;
  onProgress: (line: string) => void;
  onUnexpectedExit: (exit: UnexpectedExit) => void;
}): Promise<OpenServers> {
  const { env, dataDir, onProgress, onUnexpectedExit } = options;
  await using stack = new AsyncDisposableStack();
  let isStopping = false;

  async function start(name: string, starting: Promise<LocalServer>): Promise<string> {
    const server = await starting;
    stack.defer(() => {
      isStopping = true;
      return server.stop();
    });
    void server.exited.then((reason) => isStopping || onUnexpectedExit({ name, reason }));
    return server.url;
  }

  const logDir = join(dataDir, 'logs');
  await mkdir(logDir, { recursive: true, mode: 0o700 });
  const filesOf = (name: string) => ({
    dataDir: join(dataDir, name),
    logFile: join(logDir, `${name}.log`),
  });
  const [givenDatabase, givenRedis] = await Promise.all([
    readVariable(env, 'DATABASE_URL'),
    readVariable(env, 'REDIS_URL'),
  ]);
  // Both are awaited even if one fails, so that the other is stopped.
  const [database, redis] = await Promise.allSettled([
    givenDatabase ?? start('postgres', startPostgres(filesOf('postgres'))),
    givenRedis ?? start('redis', startRedis({ ...filesOf('redis'), onProgress })),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (redis.status === 'rejected') throw redis.reason;
  const running = stack.move();
  return {
    databaseServerUrl: database.value,
    redisUrl: redis.value,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
