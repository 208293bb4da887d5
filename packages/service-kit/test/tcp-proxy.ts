import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that a test can cut and mend: the server seems down and back to whoever uses it. */
export interface TcpProxy extends AsyncDisposable {
  /** The server's address with the proxy's host and port. */
  url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Connections stay, but nothing is answered any more. */
  freeze(): void;
}

export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const targetPort = Number(target.port || (target.protocol.startsWith('redis') ? 6379 : 5432));
  const pairs = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

  async function mend(): Promise<void> {
    server = createServer((inner) => {
      const outer = connect(targetPort, target.hostname);
      for (const [from, to] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        pairs.add(from);
        from.pipe(to);
        from.once('error', () => to.destroy());
        from.once('close', () => {
          pairs.delete(from);
          to.destroy();
        });
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : port;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = undefined;
    for (const socket of pairs) {
      socket.destroy();
    }
    if (closing !== undefined) {
      closing.close();
      await once(closing, 'close');
    }
  }

  await mend();
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cut,
    mend,
    freeze() {
      for (const socket of pairs) {
        socket.unpipe();
        socket.resume();
      }
    },
    [Symbol.asyncDispose]: cut,
  };
}
