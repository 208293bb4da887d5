import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@atrium/local-stack/ports';
import { findProgram, type Program } from './programs.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);

export interface RunningRedis {
  port: number;
  /** As a crash does it. */
  kill(): Promise<void>;
  /** Starts it again with the same data and port. */
  restart(): Promise<void>;
}

/**
 * Starts a Redis whose data survives it.
 * @param settings what the configuration file would have, in addition
 */
export async function startRedisServer(
  stack: AsyncDisposableStack,
  folder: string,
  settings: Record<string, string> = {},
  program: Program = 'redis-server',
): Promise<RunningRedis> {
  const command = await findProgram(program);
  const port = await findFreePort();
  const dir = join(folder, `redis-${port}`);
  await mkdir(dir);
  const values = {
    port: String(port),
    bind: '127.0.0.1',
    dir,
    appendonly: 'yes',
    save: '',
    ...settings,
  };
  const args = Object.entries(values).flatMap(([name, value]) => [
    `--${name}`,
    ...value.split(' '),
  ]);
  const reached = Number(settings['tls-port'] ?? port);
  const start = () => startServer(stack, { command, args, port: reached, folder });
  let server = await start();
  return {
    port: reached,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    async restart() {
      server = await start();
    },
  };
}

/** What `redis-cli` answers. */
export async function askRedis(port: number, ...args: string[]): Promise<string> {
  const { stdout } = await run(await findProgram('redis-cli'), ['-p', String(port), ...args]);
  return stdout.trim();
}
