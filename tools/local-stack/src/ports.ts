import { createServer, type Server } from 'node:net';

const HOST = '127.0.0.1';
/** Offsets from PORT_BASE that a platform listens on: the services, and their metrics. */
export const PLATFORM_PORT_OFFSETS = [0, 1, 2, 3, 4, 6, 100, 101, 102, 103, 104, 105, 106] as const;
/** Kept occupied by the process that reserved the range. */
const RESERVATION_OFFSET = 110;

/** Listens on the port without keeping the process alive; null when the port is taken. */
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

/** Whether no program listens on this port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = await occupy(port);
  if (server === null) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/**
 * A free port of 127.0.0.1, the preferred one if possible. It lies below the ephemeral range, so that the
 * system does not give it to another program before a server listens on it.
 * @throws Error when none of many random candidates is free
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
 * A PORT_BASE whose platform ports are all free. It stays reserved until this process ends: one port of
 * the range, on which no platform listens, is kept occupied.
 * @throws Error when none of many random candidates is free
 */
export async function findFreePortBase(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const base = 10_000 + Math.floor(Math.random() * 80) * 120;
    const reservation = await occupy(base + RESERVATION_OFFSET);
    if (reservation === null) continue;
    const free = await Promise.all(
      PLATFORM_PORT_OFFSETS.map((offset) => isPortFree(base + offset)),
    );
    if (free.every(Boolean)) return base;
    reservation.close();
  }
  throw new Error('No free range of ports found between 10000 and 20000.');
}
