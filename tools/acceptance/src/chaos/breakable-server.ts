import { isPortFree } from '@atrium/local-stack/ports';
import type { LocalServer } from '@atrium/local-stack/servers';

/** A server that can be stopped and started again with the same data and port. */
export interface BreakableServer extends AsyncDisposable {
  url: string;
  /** Sends the signal and waits until the server has exited. */
  stop(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Starts the server if it has exited by itself, as a supervisor would. */
  revive(): Promise<void>;
}

/** @param start starts the server on this port with the same data each time */
export async function startBreakable(
  start: (port: number) => Promise<LocalServer>,
): Promise<BreakableServer> {
  const port = await findSteadyPort();
  let server = await start(port);
  let hasExited = false;
  watch(server);
  const { url } = server;

  function watch(started: LocalServer): void {
    hasExited = false;
    void started.exited.then(() => {
      if (server === started) hasExited = true;
    });
  }

  async function startAgain(): Promise<void> {
    server = await start(port);
    watch(server);
    if (server.port !== port) throw new Error(`Port ${port} was taken while ${url} was stopped.`);
  }

  return {
    url,
    async stop(signal) {
      process.kill(server.pid, signal);
      await server.exited;
    },
    start: startAgain,
    async revive() {
      if (hasExited) await startAgain();
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/**
 * A free port outside the ephemeral range: otherwise the system could give the port of a stopped server
 * to a client that tries to reach it.
 */
export async function findSteadyPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 30_500 + Math.floor(Math.random() * 2_000);
    if (await isPortFree(port)) return port;
  }
  throw new Error('No free port found between 30500 and 32500.');
}
