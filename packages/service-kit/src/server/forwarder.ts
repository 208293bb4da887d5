import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import { finished } from 'node:stream';
import { formatTraceparent } from '@atrium/contracts/traceparent';
import type { FastifyReply, FastifyRequest } from 'fastify';
// Declares `request.raw.trace`.
import type {} from '../tracing/request-trace.ts';
import { tooManyRequests, unavailable } from '../http-error.ts';

/** Each holds two sockets and what is between them. */
const FORWARDED_MAX = 500;
/** Requests of one account, or one IP address without an account, at a time: more than pages send. */
const FORWARDED_MAX_EACH = 10;
const RETRY_AFTER_SECONDS = 1;
/** Longer than the worker waits for a client that does nothing. */
const IDLE_TIMEOUT_MS = 60_000;
/** A client may name a host in the target of its request (RFC 9112 section 3.2.2); the router ignores it too. */
const TARGET_HOST = /^https?:\/\/.*?(?=\/)/;
const BUSY = 'The service is busy, please try again';

/** Headers of one connection (RFC 9110 section 7.6.1), or answered by the API itself. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'origin',
  'date',
  'vary',
  // The other server trusts that of this one.
  'traceparent',
  'tracestate',
]);

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name));
  return Object.fromEntries(kept.map(([name, value = '']) => [name, value]));
}

/**
 * Uses no connection twice, as a stopping server could close it just then. But it asks for none to be closed after
 * the answer either: that to a body which is refused while it arrives would be lost.
 */
class SingleUseAgent extends Agent {
  override keepSocketAlive() {
    return false;
  }
}

/**
 * A handler that answers with what another server answers to the same request. Both bodies are streamed, each no
 * faster than it is taken, and when one side ends the connection, so does the other.
 *
 * @throws HttpError 429 when the account has too many requests under way, 503 when all together have, or the other
 * server is away
 */
export function createForwarder(origin: string) {
  const agent = new SingleUseAgent({ keepAlive: true });
  const open = new Map<string, number>();
  let openInAll = 0;

  /** Until the answer is sent. */
  function count(holder: string, reply: FastifyReply): void {
    const ofHolder = open.get(holder) ?? 0;
    if (ofHolder >= FORWARDED_MAX_EACH) {
      throw tooManyRequests('Too many transfers at the same time', RETRY_AFTER_SECONDS);
    }
    if (openInAll >= FORWARDED_MAX) throw unavailable(BUSY);
    open.set(holder, ofHolder + 1);
    openInAll += 1;
    finished(reply.raw, () => {
      const left = (open.get(holder) ?? 1) - 1;
      if (left > 0) open.set(holder, left);
      else open.delete(holder);
      openInAll -= 1;
    });
  }

  function send(request: FastifyRequest, reply: FastifyReply): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { trace } = request.raw;
    const forwarded = startRequest(origin, {
      agent,
      path: request.url.replace(TARGET_HOST, ''),
      method: request.method,
      headers: {
        ...endToEnd(request.headers),
        'x-forwarded-for': request.ip,
        'x-request-id': request.id,
        ...(trace !== undefined && { traceparent: formatTraceparent(trace.context) }),
      },
    });
    forwarded.setTimeout(IDLE_TIMEOUT_MS, () => forwarded.destroy(new Error('no answer in time')));
    // The rest of a body that was refused before it had arrived: unread, it would keep the connection open.
    const discardRest = () => {
      if (!request.raw.readableEnded) request.raw.unpipe(forwarded).resume();
    };
    forwarded.once('error', (error) => {
      discardRest();
      reject(unavailable(BUSY, undefined, error));
    });
    forwarded.once('response', (response) => {
      discardRest();
      resolve(response);
    });
    finished(reply.raw, () => forwarded.destroy());
    request.raw.pipe(forwarded);
    return promise;
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    count(request.account?.id ?? request.ip, reply);
    const response = await send(request, reply);
    const { statusCode = 502, headers } = response;
    return reply.code(statusCode).headers(endToEnd(headers)).send(response);
  };
}
