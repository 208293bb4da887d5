import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';

export interface Gate extends AsyncDisposable {
  /** The server's address, by way of the gate. */
  url: string;
  /** Cuts every connection and refuses new ones, as a server that is down does. */
  close(): void;
  open(): void;
}

/** Stands in front of a real server, so that one test can take it away from one app. */
export async function startGate(serverUrl: string): Promise<Gate> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((inner) => {
    if (!isOpen) {
      inner.resetAndDestroy();
      return;
    }
    const outer = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' ? address?.port : '');

  function close(): void {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: url.href,
    close,
    open() {
      isOpen = true;
    },
    async [Symbol.asyncDispose]() {
      close();
      server.close();
      await once(server, 'close');
    },
  };
}
