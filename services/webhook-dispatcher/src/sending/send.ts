import { Connections } from './connections.ts';
import { Deadlines } from './deadlines.ts';
import type { AddressGuard } from './address-guard.ts';
import { Exchange, type Sent } from './exchange.ts';
import type { ResolveHost } from './resolver.ts';
import { createTargets } from './targets.ts';

export interface OutgoingRequest {
  url: string;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
}

/** Sends by POST and always answers: every fault of the receiver or the network is an Answer. */
export type Send = (request: OutgoingRequest) => Promise<Sent>;

export interface SenderOptions {
  guard: AddressGuard;
  resolve: ResolveHost;
  allowHttp: boolean;
  /** One deadline over resolving, connecting, headers and body. */
  timeoutMs: number;
  connectionsPerOrigin: number;
}

/** The sender of one process. Disposed of, it closes every connection; what is in flight fails. */
export function openSender(options: SenderOptions): AsyncDisposable & { send: Send } {
  const { timeoutMs } = options;
  const targetOf = createTargets(options);
  const deadlines = new Deadlines(timeoutMs);
  const connections = new Connections({ ...options, connectTimeoutMs: timeoutMs });

  return {
    send({ url, headers, body }) {
      const { promise, resolve } = Promise.withResolvers<Sent>();
      const target = targetOf(url);
      if ('refusal' in target) {
        const { refusal: error } = target;
        resolve({ answer: { kind: 'failure', timedOut: false, error }, durationMs: 0 });
        return promise;
      }
      const origin = connections.to(target.origin);
      const exchange = new Exchange({ origin, deadlines, timeoutMs, settle: resolve });
      // A fault of dispatch itself is reported to the exchange too, never thrown.
      origin.pool.dispatch({ path: target.path, method: 'POST', headers, body }, exchange);
      return promise;
    },
    async [Symbol.asyncDispose]() {
      await connections[Symbol.asyncDispose]();
      deadlines[Symbol.dispose]();
    },
  };
}
