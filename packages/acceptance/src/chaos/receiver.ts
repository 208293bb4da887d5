import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { markOf } from './marks.ts';

/** A customer's receiver, which takes in only what it can verify. */
export interface VerifyingReceiver extends AsyncDisposable {
  url: string;
  /** The secret of the subscription, as its creation returned it. */
  secret: string;
  /** Deliveries that carried no valid signature. */
  forged: number;
  /** Decides the status of each answer; only what is answered 2xx has been taken in. */
  answer: () => number;
  /** Takes no connection and cuts those it has, as a server that is down does. */
  stop(): Promise<void>;
  /** Takes connections again, on the same port. */
  start(): Promise<void>;
}

const OK = () => 204;
/** As a receiver elsewhere would take; so there is always something in flight when a worker dies. */
const ANSWER_DELAY_MS = 10;

/** @param onVerified told the mark of each delivery that is taken in, copies included. */
export async function startVerifyingReceiver(
  port: number,
  onVerified: (mark: string) => void,
): Promise<VerifyingReceiver> {
  let server: Server | undefined;

  async function take(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<number> {
    if (!isAuthentic(headers, rawBody, receiver.secret)) {
      receiver.forged += 1;
      return 400;
    }
    const status = receiver.answer();
    if (status < 300) onVerified(markOf(rawBody));
    return status;
  }

  const receiver: VerifyingReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    secret: '',
    forged: 0,
    answer: OK,
    async start() {
      server = createServer((request, response) => {
        buffer(request)
          .then((rawBody) => take(request.headers, rawBody))
          .then((status) => sleep(ANSWER_DELAY_MS, status))
          .then((status) => response.writeHead(status).end())
          // Whoever hangs up in the middle has delivered nothing.
          .catch(() => response.destroy());
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async stop() {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      server = undefined;
      await closed;
    },
    [Symbol.asyncDispose]: () => receiver.stop(),
  };
  await receiver.start();
  return receiver;
}

/** INTERFACE 6.3: hex HMAC-SHA256 of the raw body, keyed with the secret as it was shown. */
function isAuthentic(headers: IncomingHttpHeaders, rawBody: Buffer, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
  const given = Buffer.from(String(headers['service-signature']));
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}
