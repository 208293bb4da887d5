import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@atrium/local-stack/ports';
import type { Certificate } from '@atrium/testkit/certificates';
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

/** A server shows this certificate, and asks for one of the same authority. */
export const tlsSettings = ({ ca, cert, key }: Certificate): Record<string, string> => ({
  'tls-cert-file': cert,
  'tls-key-file': key,
  'tls-ca-cert-file': ca,
});

/** What `REDIS_URL` says of the authority of such a server, and of a certificate for it. */
export const tlsQuery = ({ ca, cert, key }: Certificate): string =>
  `?ssl_ca_certs=${ca}&ssl_certfile=${cert}&ssl_keyfile=${key}`;

/** What `redis-cli` answers. */
export async function askRedis(
  { port, certificate }: { port: number; certificate?: Certificate | undefined },
  ...args: string[]
): Promise<string> {
  const tls = certificate === undefined ? [] : tlsArguments(certificate);
  const all = ['-p', String(port), ...tls, ...args];
  const { stdout } = await run(await findProgram('redis-cli'), all);
  return stdout.trim();
}

const tlsArguments = ({ ca, cert, key }: Certificate): string[] =>
  ['--tls', '--cacert', ca].concat('--cert', cert, '--key', key);
