import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../ports.ts';
import { isRunning, stopLeftover } from '../processes/process-identity.ts';
import { findRedisProgram, type RedisProgram } from './redis-program.ts';
import { type LocalServer, startServerProcess } from './server-process.ts';

export interface RedisOptions {
  /** Holds all files of this server; created when missing. */
  dataDir: string;
  /** Used if it is free; otherwise another one. */
  port?: number;
  logFile?: string;
  /** Receives a line before a step that takes a while, such as an installation. */
  onProgress?: (line: string) => void;
}

/**
 * Starts a real Redis (or Valkey) on 127.0.0.1, with its append-only file on.
 * Stops a server that a killed run left on the same data directory first.
 * @throws Error with the one line to type when no server program is found.
 */
export async function startRedis(options: RedisOptions): Promise<LocalServer> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const program = await findRedisProgram(dataDir, options.onProgress ?? (() => undefined));
  await stopLeftoverServer(dataDir);
  await program.removeLeftover();
  const port = await findFreePort(options.port);
  const url = `redis://127.0.0.1:${port}`;
  const server = await startServerProcess(
    'Redis',
    options.logFile ?? join(dataDir, 'server.log'),
    { ...redisCommand(program, dataDir, port), env: process.env, stopSignal: 'SIGTERM' },
    async () => {
      await info(port);
    },
  );
  const recordFile = join(dataDir, 'server.json');
  await writeFile(recordFile, JSON.stringify({ pid: server.pid, port }));
  return {
    url,
    port,
    pid: server.pid,
    exited: server.exited,
    async stop() {
      await server.stop();
      await rm(recordFile, { force: true });
    },
  };
}

function redisCommand(program: RedisProgram, dataDir: string, port: number) {
  const settings = {
    appendonly: 'yes',
    appendfsync: 'everysec',
    // The append-only file is enough; snapshots would only cost time.
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
    dir: program.dirSeenByServer(dataDir),
  };
  return program.command(
    port,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
  );
}

async function stopLeftoverServer(dataDir: string): Promise<void> {
  const record = await readFile(join(dataDir, 'server.json'), 'utf8').catch(() => null);
  if (record === null) return;
  const { pid, port } = JSON.parse(record) as { pid: number; port: number };
  // The process title has the port but not the data directory, so ask the server itself.
  const marker = `:${port}`;
  if (!(await isRunning(pid, marker))) return;
  const answer = await info(port).catch(() => null);
  if (answer?.processId === pid && answer.dir === dataDir) {
    await stopLeftover(pid, marker, 'SIGTERM');
  }
}

async function info(port: number): Promise<{ processId: number; dir: string }> {
  const client = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    connectTimeout: 1_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // connect() reports the failure; an unhandled event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // PING is refused with LOADING until the append-only file has been read.
    await client.ping();
    const server = await client.info('server');
    const [, dir] = (await client.config('GET', 'dir')) as [string, string];
    return { processId: Number(/process_id:(\d+)/.exec(server)?.[1]), dir };
  } finally {
    client.disconnect();
  }
}
