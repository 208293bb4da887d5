import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/** Well-known ports of Postgres and Redis: they belong to whoever installed those servers. */
const RESERVED = new Set([5432, 6379]);
/** Offsets from PORT_BASE that a platform listens on: the services, and their metrics. */
export const PLATFORM_PORT_OFFSETS = [1, 2, 3, 4, 101, 102, 103, 104, 105] as const;

function tryListen(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : null;
      server.close(() => resolve(bound));
    });
  });
}

/** Whether nothing listens on this port of 127.0.0.1 at the moment. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== null;
}

/** A port of 127.0.0.1 that is free now: the preferred one if it is, else one the system picks. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  for (;;) {
    const port = await tryListen(0);
    if (port !== null && !RESERVED.has(port)) return port;
  }
}

/**
 * A PORT_BASE whose whole range of platform ports is free now. Stays below the range from which
 * the system takes ports for outgoing connections, so that nobody takes one in between.
 * @throws Error when none of many random candidates is free.
 */
export async function findFreePortBase(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const base = 10_000 + Math.floor(Math.random() * 80) * 250;
    const free = await Promise.all(
      PLATFORM_PORT_OFFSETS.map((offset) => isPortFree(base + offset)),
    );
    if (free.every(Boolean)) return base;
  }
  throw new Error('No free range of ports found between 10000 and 30000.');
}
