import { createServer, type Server } from 'node:net';

const HOST = '127.0.0.1';
/** Offsets from PORT_BASE that a platform listens on: the services, and their metrics. */
export const PLATFORM_PORT_OFFSETS = [1, 2, 3, 4, 101, 102, 103, 104, 105] as const;
/** Kept occupied by whoever was given the range. */
const CLAIM_OFFSET = 100;

/** Listens there, without keeping the process alive; null when somebody else does. */
function occupy(port: number): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer().unref();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
  });
}

/** Whether nothing listens on this port of 127.0.0.1 at the moment. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = await occupy(port);
  if (server === null) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/**
 * A port of 127.0.0.1 that is free now: the preferred one if it is, else one of thousands. It lies
 * below the range from which the system takes ports by itself, so that nobody is given it before a
 * server listens there.
 * @throws Error when none of many random candidates is free.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isPortFree(port)) return port;
  }
  throw new Error('No free port found between 20000 and 30000.');
}

/**
 * A PORT_BASE whose whole range of platform ports is free. Nobody else is given it here until this
 * process ends: one port between them, on which no platform listens, is kept occupied.
 * @throws Error when none of many random candidates is free.
 */
export async function findFreePortBase(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const base = 10_000 + Math.floor(Math.random() * 80) * 120;
    const claim = await occupy(base + CLAIM_OFFSET);
    if (claim === null) continue;
    const free = await Promise.all(
      PLATFORM_PORT_OFFSETS.map((offset) => isPortFree(base + offset)),
    );
    if (free.every(Boolean)) return base;
    claim.close();
  }
  throw new Error('No free range of ports found between 10000 and 20000.');
}
