import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FuzzRequest } from './requests.ts';

export interface FuzzResponse {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

export type NoResponse = 'connection closed' | 'timeout' | 'unreadable';

export interface HttpClient extends Disposable {
  /** @returns the reason when there is no response */
  send(request: FuzzRequest): Promise<FuzzResponse | NoResponse>;
}

const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const TIMEOUT_MS = 60_000;

/** Sends requests over real keep-alive connections. */
export function openHttpClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const options = { agent, host: '127.0.0.1', port, method, path, timeout: TIMEOUT_MS };
        const sent = request({ ...options, headers: { ...headers, ...length } });
        const fail = (error: NodeJS.ErrnoException) => {
          const { code = '' } = error;
          if (CLOSED.has(code)) resolve('connection closed');
          else if (code.startsWith('HPE_')) resolve('unreadable');
          else reject(error);
        };
        sent.on('response', (response) => {
          if (response.headers['content-type'] === 'text/event-stream') {
            // It goes on until its reader leaves.
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
            response.destroy();
            return;
          }
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
          resolve('timeout');
          sent.destroy();
        });
        sent.on('error', fail);
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
