import { ERROR_CODES, ERRORS, type ErrorCode } from '@atrium/contracts/errors';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../../test/raw-request.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { HttpError, tooManyRequests } from '../http-error.ts';

let app: TestServer;

beforeAll(async () => {
  app = await startTestServer((server) => {
    server.get('/things/:id', () => ({ ok: true }));
    server.post('/echo', (request) => ({ body: request.body ?? null }));
    server.delete('/things/:id', (_request, reply) => reply.code(204).send());
    server.get('/broken', () => {
      throw new Error('password=hunter2 in a cause');
    });
    server.get('/conflict', () => {
      throw new HttpError('username-taken');
    });
    server.get('/busy', () => {
      throw tooManyRequests('Slow down', 2.3);
    });
    server.get('/database-away', () => {
      throw new Error('query failed', {
        cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      });
    });
    server.get('/redis-away', () => {
      throw new Error("Stream isn't writeable and enableOfflineQueue options is false");
    });
    // A response schema must not be able to change the shape of an error.
    const odd = { response: { '5xx': Type.Object({ odd: Type.String() }) } };
    server.get('/odd', { schema: odd }, () => {
      throw new Error('hidden');
    });
  });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const HOST = 'Host: x\r\nConnection: close\r\n';
const post = (type: string, body: string) =>
  `POST /echo HTTP/1.1\r\n${HOST}${type}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const method = (name: string) => `${name} /things/1 HTTP/1.1\r\n${HOST}\r\n`;

/** The text with the one byte that each of its characters has in Latin-1. */
const latin1 = (text: string) => Buffer.from(text, 'latin1');

type Fault = [what: string, bytes: string | Buffer, code: ErrorCode, message: string];

const FAULTS: Fault[] = [
  ['a URL that cannot be decoded', get('/%zz'), 'bad-request', 'URL is not valid'],
  [
    'an over-long parameter',
    get(`/things/${'a'.repeat(300)}`),
    'bad-request',
    'A part of the URL is too long',
  ],
  ['malformed HTTP', 'NONSENSE\r\n\r\n', 'bad-request', 'Request is not valid HTTP'],
  [
    'a body with two lengths',
    `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    'bad-request',
    'Request is not valid HTTP',
  ],
  [
    'over-large headers',
    get('/things/1', `X-Large: ${'a'.repeat(20_000)}\r\n`),
    'bad-request',
    'Request headers are too large',
  ],
  [
    'a missing Host',
    'GET /things/1 HTTP/1.1\r\nConnection: close\r\n\r\n',
    'bad-request',
    'Host header is required',
  ],
  [
    'more headers than anybody needs',
    get('/things/1', Array.from({ length: 100 }, (_, n) => `x-${n}: 1\r\n`).join('')),
    'bad-request',
    'Request headers are too large',
  ],
  [
    'two Host headers',
    get('/things/1', 'host: y\r\n'),
    'bad-request',
    'Host header must be given once',
  ],
  ...['gzip, chunked', 'xchunked', 'identity'].map((coding): Fault => [
    `the transfer coding ${coding}`,
    `POST /echo HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'bad-request',
    'Transfer-Encoding must be chunked',
  ]),
  [
    'an unknown expectation',
    `POST /echo HTTP/1.1\r\n${HOST}Expect: miracles\r\nContent-Length: 0\r\n\r\n`,
    'bad-request',
    'Expectation is not supported',
  ],
  ['malformed JSON', post(JSON_TYPE, '{"a'), 'bad-request', 'Request body is not valid JSON'],
  [
    'a body that is not UTF-8',
    latin1(
      post(JSON_TYPE, '{"name":"Zo\u00eb"}').replace('Content-Length: 15', 'Content-Length: 14'),
    ),
    'bad-request',
    'Request body is not valid UTF-8',
  ],
  [
    'a body that would set a prototype',
    post(JSON_TYPE, '{"__proto__":{}}'),
    'bad-request',
    'Request body is not valid JSON',
  ],
  [
    'another content type',
    post('Content-Type: text/plain\r\n', 'hello'),
    'media-type-unsupported',
    'Content-Type must be application/json',
  ],
  [
    'a body without a content type',
    post('', '{}'),
    'media-type-unsupported',
    'Content-Type must be application/json',
  ],
  [
    'an over-large body',
    post(JSON_TYPE, `"${'a'.repeat(1024 * 1024)}"`),
    'body-too-large',
    'Request body has more than 16384 bytes',
  ],
  ['an unknown route', get('/nowhere'), 'not-found', 'Page not found'],
  [
    'a bad body to an unknown route',
    post(JSON_TYPE, '{').replace('/echo', '/nowhere'),
    'not-found',
    'Page not found',
  ],
  ['a static file outside its folder', get('/docs/static/..'), 'not-found', 'Page not found'],
  ['a static file that cannot exist', get('/docs/static/%00'), 'not-found', 'Page not found'],
  ['a static file of no folder', get('/docs/static//x'), 'not-found', 'Page not found'],
  [
    'a static file with an over-long name',
    get(`/docs/static/${'a'.repeat(300)}`),
    'not-found',
    'Page not found',
  ],
  ['an unknown method of a route', method('PATCH'), 'not-found', 'Page not found'],
  ['a method that Fastify does not know', method('PURGE'), 'not-found', 'Page not found'],
  ['CONNECT', `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`, 'not-found', 'Page not found'],
  ['a thrown HttpError', get('/conflict'), 'username-taken', 'Username is already taken'],
  [
    'an unexpected error',
    get('/broken'),
    'internal-error',
    'Something went wrong on our side, please try again later',
  ],
  [
    'an error under a response schema of another shape',
    get('/odd'),
    'internal-error',
    'Something went wrong on our side, please try again later',
  ],
  [
    'an unreachable database',
    get('/database-away'),
    'unavailable',
    'The service is temporarily unavailable, please try again shortly',
  ],
  [
    'an unreachable Redis',
    get('/redis-away'),
    'unavailable',
    'The service is temporarily unavailable, please try again shortly',
  ],
];

describe('error responses', () => {
  it.each(FAULTS)(
    'have an error, a message and a code for %s',
    async (_what, bytes, code, message) => {
      const answer = await rawRequest(app.port, bytes);
      const { error } = ERROR_CODES[code];
      expect(answer.status).toBe(ERRORS[error]);
      expect(JSON.parse(answer.body)).toEqual({ error, message });
      expect(answer.headers['error-code']).toBe(code);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('say when to retry', async () => {
    const busy = await fetch(`${app.origin}/busy`);
    expect(busy.headers.get('retry-after')).toBe('3');
    const away = await fetch(`${app.origin}/database-away`);
    expect(away.headers.get('retry-after')).toBe('5');
  });

  it('log the cause of a 500 with the request id', async () => {
    await fetch(`${app.origin}/broken`, { headers: { 'x-request-id': 'trace-me' } });
    const line = app.logs.find((log) => log.includes('trace-me') && log.includes('request failed'));
    expect(line).toContain('hunter2');
  });
});

describe('valid requests', () => {
  it('keep the caller’s request id, unless it is not fit for a log', async () => {
    const kept = await fetch(`${app.origin}/things/1`, { headers: { 'x-request-id': 'abc-123' } });
    expect(kept.headers.get('x-request-id')).toBe('abc-123');
    const bad = await fetch(`${app.origin}/things/1`, { headers: { 'x-request-id': 'a b' } });
    expect(bad.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  it('may have an empty JSON body', async () => {
    const answer = await rawRequest(app.port, post(JSON_TYPE, ''));
    expect(JSON.parse(answer.body)).toEqual({ body: null });
    const headers = { 'content-type': 'application/json' };
    const deleted = await fetch(`${app.origin}/things/1`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(204);
  });
});
