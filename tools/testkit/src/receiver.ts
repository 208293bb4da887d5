import { buffer } from 'node:stream/consumers';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './http-listener.ts';
import { until } from './until.ts';

/** A request as it came in, before anything parsed it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  receivedAtMs: number;
}

export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
}

type Respond = (n: number, request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>;

export interface Receiver extends AsyncDisposable {
  url: string;
  /** Every request so far, oldest first. */
  requests: ReceivedRequest[];
  /** Resolves with the first `count` requests once there are that many. */
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
}

/**
 * Starts an HTTP server that records what it gets. It answers 204 unless `respond` says otherwise;
 * `respond` is given the number of the request, from 1.
 */
export async function startReceiver(options: { respond?: Respond } = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const respond: Respond = options.respond ?? (() => ({ status: 204 }));
  const server = await listen((message, response) => {
    const answer = async () => {
      const request = await read(message);
      const { status, headers, body, delayMs } = await respond(requests.push(request), request);
      if (delayMs !== undefined) await sleep(delayMs, undefined, { ref: false });
      response.writeHead(status, headers).end(body);
    };
    // A sender that hangs up in the middle is its own business.
    answer().catch(() => response.destroy());
  });
  return {
    url: server.url,
    requests,
    async waitFor(count, timeoutMs) {
      await until(() => requests.length >= count, timeoutMs === undefined ? {} : { timeoutMs });
      return requests.slice(0, count);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function read(message: IncomingMessage): Promise<ReceivedRequest> {
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    rawBody: await buffer(message),
    receivedAtMs: Date.now(),
  };
}
