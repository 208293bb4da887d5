import { isPortFree } from '@atrium/local-stack/ports';
import type { LocalServer } from '@atrium/local-stack/servers';

/** A server that can be taken away and brought back, with its data and on its port. */
export interface BreakableServer extends AsyncDisposable {
  url: string;
  /** Ends it by this signal and waits until it has ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
}

/** @param start starts the server on this port, on the same data each time. */
export async function startBreakable(
  start: (port: number) => Promise<LocalServer>,
): Promise<BreakableServer> {
  const port = await findSteadyPort();
  let server = await start(port);
  const { url } = server;
  return {
    url,
    async stop(signal) {
      process.kill(server.pid, signal);
      await server.exited;
    },
    async start() {
      server = await start(port);
      if (server.port !== port) throw new Error(`Port ${port} was taken while ${url} was away.`);
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/**
 * A free port below the range from which the system takes ports for outgoing connections: while
 * its server is away, a client that tries to reach it could otherwise be given this very port.
 */
export async function findSteadyPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 30_500 + Math.floor(Math.random() * 2_000);
    if (await isPortFree(port)) return port;
  }
  throw new Error('No free port found between 30500 and 32500.');
}
