import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { badRequest, HttpError, notFound } from '../http-error.ts';

/** How long a refused client may take to read why. */
const LINGER_MS = 1000;

/**
 * Headers of responses that are sent before any plugin runs. On all others helmet sets the same.
 */
export const RAW_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Ends a connection with an error response, written by hand: there is no request to reply to. */
function refuseConnection(socket: Duplex, error: HttpError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error.body);
  const headers = {
    ...RAW_HEADERS,
    'error-code': error.code,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': randomUUID(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${error.status} ${error.errorName}`;
  socket.end(`${[statusLine, ...lines].join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function faultOf(code: unknown): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      // 431 would be the exact status; the interface's table does not have it.
      return badRequest('Request headers are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return badRequest('Request took too long to arrive');
    default:
      return badRequest('Request is not valid HTTP');
  }
}

/** Answers what Node's parser refuses: malformed HTTP, over-large headers, requests too slow. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  // A peer that went away reads nothing, and bytes after a response has begun would corrupt it.
  const hasBegun = '_httpMessage' in socket && isResponding(socket._httpMessage);
  if (error.code === 'ECONNRESET' || hasBegun) {
    socket.destroy(error);
    return;
  }
  refuseConnection(socket, faultOf(error.code));
}

function isResponding(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'headersSent' in message &&
    message.headersSent === true
  );
}

/**
 * Node answers CONNECT and unknown expectations itself, without our error body, so they are handled
 * here. An upgrade is ignored, as RFC 9110 section 7.8 allows. Node's parser may lose requests that
 * follow it on the same connection, so the connection is closed after the response.
 */
export function answerSpecialRequests(server: Server): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuseConnection(socket, notFound('Page'));
  });
  server.on('checkExpectation', (request: IncomingMessage) => {
    refuseConnection(request.socket, badRequest('Expectation is not supported'));
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.upgrade !== undefined) {
      response.shouldKeepAlive = false;
    }
  });
}

/**
 * What another server on the way could read differently, and so pass on as other requests: which host
 * is meant, and where the body ends (RFC 9112 sections 3.2, 6.1 and 11.2).
 */
export function headerFault(request: IncomingMessage): HttpError | undefined {
  const { headers, httpVersion, rawHeaders } = request;
  // Names and values alternate. Node keeps the first Host and does not say that there are more.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
  const coding = headers['transfer-encoding'];
  let message: string;
  if (hosts > 1) {
    message = 'Host header must be given once';
  } else if (hosts === 0 && httpVersion === '1.1') {
    message = 'Host header is required';
  } else if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    // 501 would be the exact status; the interface's table does not have it.
    message = 'Transfer-Encoding must be chunked';
  } else {
    return undefined;
  }
  return new HttpError('bad-request', message, { headers: { connection: 'close' } });
}
