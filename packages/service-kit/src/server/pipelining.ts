import type { Socket } from 'node:net';
import type { Server } from './server.ts';

/**
 * Ends connections that send ever more requests without waiting for the answers, which Node would keep: all
 * that fit into one packet, also while nobody reads.
 */
export function limitPipelining(server: Server, requestsPerConnection: number): void {
  const waiting = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number) => {
    const requests = (waiting.get(socket) ?? 0) + change;
    waiting.set(socket, requests);
    return requests;
  };
  server.server.prependListener('request', ({ socket }, response) => {
    if (count(socket, 1) > requestsPerConnection) socket.destroy();
    response.once('close', () => count(socket, -1));
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket.destroyed) reply.hijack();
    else done();
  });
}
