import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server, by which a test makes the server unavailable. */
export interface Outage extends AsyncDisposable {
  /** The server's address through the proxy. */
  url: string;
  /** Closes every connection and refuses new ones, as if the server had been stopped. */
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Keeps the connections open, but passes nothing on any more. */
  freeze(): void;
  /** Passes on the next message with this text, and closes its connection instead of passing on the answer. */
  loseAnswerTo(text: string): void;
}

/** Puts a proxy in front of Postgres or Redis, so that one test can lose it without the others. */
export async function startOutage(serverUrl: string): Promise<Outage> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let unanswered: string | undefined;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) keep(socket);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.on('data', (chunk: Buffer) => {
      if (unanswered === undefined || !chunk.includes(unanswered)) return;
      unanswered = undefined;
      far
        .unpipe(near)
        .once('data', () => near.destroy())
        .resume();
    });
    near.pipe(far).pipe(near);
  });
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(serverUrl);
  url.port = String(port);
  return {
    url: url.href,
    begin: close,
    end: () => open(port),
    freeze() {
      for (const socket of sockets) socket.unpipe().resume();
    },
    loseAnswerTo(text) {
      unanswered = text;
    },
    [Symbol.asyncDispose]: close,
  };
}
