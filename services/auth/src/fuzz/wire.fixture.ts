import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { WireRequest } from './requests.fixture.ts';

export interface WireAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

export type NoAnswer = 'hung up' | 'silence' | 'unreadable';

export interface Wire extends Disposable {
  /** Where there is no answer: why. */
  send(wish: WireRequest): Promise<WireAnswer | NoAnswer>;
}

const HUNG_UP = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const TIMEOUT_MS = 60_000;

/** Sends requests over real connections, which are used again. */
export function openWire(port: number): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const options = { agent, host: '127.0.0.1', port, method, path, timeout: TIMEOUT_MS };
        const sent = request({ ...options, headers: { ...headers, ...length } });
        const fail = (error: NodeJS.ErrnoException) => {
          const { code = '' } = error;
          if (HUNG_UP.has(code)) resolve('hung up');
          else if (code.startsWith('HPE_')) resolve('unreadable');
          else reject(error);
        };
        sent.on('response', (response) => {
          buffer(response).then(
            (bytes) =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: bytes.toString(),
              }),
            fail,
          );
        });
        sent.on('timeout', () => {
          resolve('silence');
          sent.destroy();
        });
        sent.on('error', fail);
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
