import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './field.ts';

export interface RawRequest {
  method: string;
  url: string;
  account?: Pick<Account, 'token' | 'address'>;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** What a socket has met: a status, or how it ended without one. */
export type Outcome = number | 'cut off' | 'no answer';

const SEND_TIMEOUT_MS = 20_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** One request on a connection of its own, whose bytes are sent and read when the attacker wants. */
export class RawSocket implements Disposable {
  readonly socket: Socket;
  /** Resolves when the first line of the answer is here, or the connection has ended without it. */
  readonly outcome: Promise<Outcome>;
  readonly #request: RawRequest;

  private constructor(socket: Socket, request: RawRequest) {
    this.socket = socket;
    this.#request = request;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      if (head.length < 12) head += chunk.toString('latin1', 0, 12);
      if (head.length >= 12) resolve(Number(head.slice(9, 12)));
    });
    socket.on('error', () => resolve('cut off'));
    socket.on('close', () => resolve('cut off'));
  }

  static async open(request: RawRequest): Promise<RawSocket> {
    const { hostname, port } = new URL(request.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect', { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
    return new RawSocket(socket, request);
  }

  /** Sends head and body but for its last bytes. Resolves when they are sent, or refused. */
  async send(bytesLeft = 0): Promise<void> {
    const { body = Buffer.alloc(0) } = this.#request;
    this.socket.write(headOf(this.#request));
    const sent = new Promise<void>((resolve) => {
      this.socket.write(body.subarray(0, body.length - bytesLeft), () => resolve());
    });
    await Promise.race([sent, this.outcome, sleep(SEND_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** Sends what `send` has left. */
  finish(bytesLeft = 1): void {
    if (this.socket.writable) this.socket.write(this.#request.body?.subarray(-bytesLeft) ?? '');
  }

  /** The outcome, or that there was none within a minute. */
  async untilAnswered(): Promise<Outcome> {
    return Promise.race([
      this.outcome,
      sleep(ANSWER_TIMEOUT_MS, 'no answer' as const, { ref: false }),
    ]);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

function headOf({ method, url, account, headers, body }: RawRequest): string {
  const { pathname, search, host } = new URL(url);
  const lines: Record<string, string> = {
    host,
    ...(account && {
      authorization: `Bearer ${account.token}`,
      'x-forwarded-for': account.address,
    }),
    ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...headers,
  };
  const fields = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${fields.join('')}\r\n`;
}
