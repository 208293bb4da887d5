import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { once } from 'node:events';
import type { Daemon, DaemonOptions } from '@atrium/local-stack/processes/daemon';
import { startServerProcess } from '@atrium/local-stack/servers/server-process';

interface ServerOptions extends Partial<Pick<DaemonOptions, 'identity' | 'stopSignal'>> {
  command: string;
  args: string[];
  port: number;
  /** For its log. */
  folder: string;
}

/** Starts a server on a port of 127.0.0.1 and waits until it listens; the stack stops it. */
export async function startServer(
  stack: AsyncDisposableStack,
  { command, args, port, folder, stopSignal = 'SIGTERM', identity }: ServerOptions,
): Promise<Daemon> {
  const server = await startServerProcess(
    basename(command),
    join(folder, `${basename(command)}-${port}.log`),
    {
      command,
      args,
      stopSignal,
      identity,
      cwd: '/',
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    },
    () => listens(port),
  );
  stack.defer(() => server.stop());
  return server;
}

async function listens(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
