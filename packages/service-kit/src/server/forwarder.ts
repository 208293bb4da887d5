import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '../http-error.ts';

/** Each holds two sockets and what is between them. */
const FORWARDED_MAX = 500;
/** Longer than the worker waits for a client that does nothing. */
const IDLE_TIMEOUT_MS = 60_000;
const BUSY = 'The service is busy, please try again';

/** Of one connection (RFC 9110 section 7.6.1), or answered by the API itself. */
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
 * @throws HttpError 503 when the other server is away, or too many requests are under way
 */
export function createForwarder(origin: string) {
  const agent = new SingleUseAgent({ keepAlive: true });
  let open = 0;

  function send(request: FastifyRequest, reply: FastifyReply): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const forwarded = startRequest(new URL(request.url, origin), {
      agent,
      method: request.method,
      headers: {
        ...endToEnd(request.headers),
        'x-forwarded-for': request.ip,
        'x-request-id': request.id,
      },
    });
    forwarded.setTimeout(IDLE_TIMEOUT_MS, () => forwarded.destroy(new Error('no answer in time')));
    // Of a body that was refused before it had arrived; unread, it would keep the connection open.
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
    if (open >= FORWARDED_MAX) throw unavailable(BUSY);
    open += 1;
    finished(reply.raw, () => (open -= 1));
    const response = await send(request, reply);
    const { statusCode = 502, headers } = response;
    return reply.code(statusCode).headers(endToEnd(headers)).send(response);
  };
}
