import type { Socket } from 'node:net';
import type { Server } from './server.ts';

/** A request that was sent just before the listening socket closed arrives within this time. */
const GRACE_MS = 1_000;

/**
 * Closes connections on which nothing was ever sent, such as those that browsers open ahead. Node counts them
 * as busy, so that closing the server would wait for them for over a minute.
 */
export function closeSilentConnections(server: Server): void {
  const connections = new Set<Socket>();
  server.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.addHook('preClose', (done) => {
    setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, GRACE_MS).unref();
    done();
  });
}
