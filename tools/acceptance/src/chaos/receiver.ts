import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { markerOf } from './markers.ts';

/** A customer's receiver, which accepts only deliveries that it can verify. */
export interface VerifyingReceiver extends AsyncDisposable {
  url: string;
  /** The secret of the subscription, as its creation returned it. */
  secret: string;
  /** Deliveries without a valid signature. */
  forged: number;
  /** Chooses the status of each response; a delivery is accepted if it is 2xx. */
  respond: () => number;
  /** Closes all connections and refuses new ones, like a server that is down. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
}

const OK = () => 204;
/** Like a remote receiver, so that deliveries are in flight when a worker is killed. */
const RESPONSE_DELAY_MS = 10;

/** @param onVerified receives the marker of each accepted delivery, including duplicates */
export async function startVerifyingReceiver(
  port: number,
  onVerified: (marker: string, eventId: string) => void,
): Promise<VerifyingReceiver> {
  let server: Server | undefined;

  async function receive(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<number> {
    if (!isAuthentic(headers, rawBody, receiver.secret)) {
      receiver.forged += 1;
      return 400;
    }
    const status = receiver.respond();
    if (status < 300) {
      const { marker, eventId } = markerOf(rawBody);
      onVerified(marker, eventId);
    }
    return status;
  }

  const receiver: VerifyingReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    secret: '',
    forged: 0,
    respond: OK,
    async start() {
      server = createServer((request, response) => {
        buffer(request)
          .then((rawBody) => receive(request.headers, rawBody))
          .then((status) => sleep(RESPONSE_DELAY_MS, status))
          .then((status) => response.writeHead(status).end())
          // The worker was killed in the middle of the request.
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

/** The hexadecimal HMAC-SHA256 of the raw body, keyed with the secret. */
function isAuthentic(headers: IncomingHttpHeaders, rawBody: Buffer, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
  const given = Buffer.from(String(headers['service-signature']));
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}
