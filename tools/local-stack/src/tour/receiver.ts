import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** One delivery as it arrived. */
export interface ReceivedDelivery {
  path: string;
  event: string;
  id: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** What the receiver answered. */
  status: number;
}

export interface Receiver {
  url: string;
  /** Resolves with the first delivery that matches, also an earlier one. */
  waitFor(matches: (delivery: ReceivedDelivery) => boolean): Promise<ReceivedDelivery>;
  [Symbol.asyncDispose](): Promise<void>;
}

const TIMEOUT_MS = 30_000;

/**
 * A webhook receiver as a customer would run one.
 * @param answer chooses the status for the nth delivery on a path, n from 1
 * @param onDelivery called after each response
 */
export async function startReceiver(
  answer: (path: string, n: number) => number,
  onDelivery: (delivery: ReceivedDelivery) => void,
): Promise<Receiver> {
  const received: ReceivedDelivery[] = [];
  const listeners = new Set<(delivery: ReceivedDelivery) => void>();
  const server = createServer((request, response) => {
    void buffer(request).then((rawBody) => {
      const path = request.url ?? '/';
      const n = received.filter((earlier) => earlier.path === path).length + 1;
      const status = answer(path, n);
      const { headers } = request;
      const [event, id] = [String(headers['service-event']), String(headers['service-delivery'])];
      response.writeHead(status).end();
      const delivery = { path, event, id, headers, rawBody, status };
      received.push(delivery);
      onDelivery(delivery);
      for (const listener of listeners) listener(delivery);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    waitFor(matches) {
      const earlier = received.find(matches);
      if (earlier !== undefined) return Promise.resolve(earlier);
      return new Promise((resolve, reject) => {
        const listener = (delivery: ReceivedDelivery) => {
          if (!matches(delivery)) return;
          clearTimeout(timer);
          listeners.delete(listener);
          resolve(delivery);
        };
        const timer = setTimeout(() => {
          listeners.delete(listener);
          reject(new Error('An expected delivery did not arrive in 30 s.'));
        }, TIMEOUT_MS);
        listeners.add(listener);
      });
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The hexadecimal HMAC-SHA256 of the raw body, keyed with the secret. */
export function isAuthentic(delivery: ReceivedDelivery, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(delivery.rawBody).digest('hex');
  const given = String(delivery.headers['service-signature']);
  return (
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  );
}
