import { createServer, type Server, type Socket } from 'node:net';

/** A TCP server that behaves as told and counts its connections. */
export async function startRaw(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server: Server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onConnection(socket);
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  const port = typeof listening === 'object' ? listening?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    sockets,
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
