import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { WireRequest } from './requests.fixture.ts';

export interface WireAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

export interface Wire extends Disposable {
  send(wish: WireRequest): Promise<WireAnswer | 'hung up' | 'silence'>;
}

const HUNG_UP = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const TIMEOUT_MS = 15_000;

/** Sends requests over real connections, which are used again. */
export function openWire(port: number): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const options = { agent, host: '127.0.0.1', port, method, path, timeout: TIMEOUT_MS };
        const sent = request({ ...options, headers: { ...headers, ...length } });
        sent.on('response', (response) => {
          buffer(response).then(
            (bytes) =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: bytes.toString(),
              }),
            reject,
          );
        });
        sent.on('timeout', () => {
          resolve('silence');
          sent.destroy();
        });
        sent.on('error', (error: NodeJS.ErrnoException) => {
          if (HUNG_UP.has(error.code ?? '')) resolve('hung up');
          else reject(error);
        });
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
