import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';
import { createForwarder } from './forwarder.ts';

/** A server that forwards to another one. @returns its port */
async function forwardTo(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<number> {
  const other = createServer((received, response) => void answer(received, response));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => other.close().closeAllConnections());
  return forwardToPort((other.address() as AddressInfo).port);
}

async function forwardToPort(port: number): Promise<number> {
  const app = await startTestServer((server) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
    const handler = createForwarder(`http://127.0.0.1:${port}`);
    server.route({ method: ['GET', 'POST'], url: '/files', handler });
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app.port;
}

/** On a connection of its own. */
const open = (port: number, method: string, headers = {}, path = '/files?name=a%20b') =>
  request({ port, host: '127.0.0.1', path, method, headers, agent: false });

async function send(
  port: number,
  method: string,
  body = Buffer.alloc(0),
  headers = {},
  path?: string,
) {
  const sent = open(port, method, { ...headers, 'content-length': body.length }, path).end(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  return { status: response.statusCode, headers: response.headers, response };
}

test('passes on a request with its body and headers, and the answer to it', async () => {
  const port = await forwardTo(async (received, response) => {
    const { method, url, headers } = received;
    const { length } = await text(received);
    response.writeHead(201, { 'content-type': 'application/json', etag: '"1"', vary: 'x' });
    response.end(JSON.stringify({ method, url, headers, length }));
  });
  const body = Buffer.alloc(3_000_000, 'x');
  const given = { authorization: 'Bearer x', origin: 'https://a.example', 'x-request-id': 'one' };
  const answer = await send(port, 'POST', body, given);
  expect(answer).toMatchObject({ status: 201, headers: { etag: '"1"', 'x-request-id': 'one' } });
  expect(answer.headers.vary).not.toBe('x');
  const { headers, ...rest } = JSON.parse(await text(answer.response));
  expect(rest).toEqual({ method: 'POST', url: '/files?name=a%20b', length: 3_000_000 });
  expect(headers).toMatchObject({
    authorization: 'Bearer x',
    'content-length': '3000000',
    'x-forwarded-for': '127.0.0.1',
    'x-request-id': 'one',
  });
  expect(headers).not.toHaveProperty('origin');
});

test('forwards a request to no other host than its own, whatever the target of the request says', async () => {
  const other = createServer((_received, response) => response.end('other')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => other.close().closeAllConnections());
  const port = await forwardTo(({ url, headers }, response) => {
    response.end(`${headers.host} ${url}`);
  });
  const target = `http://127.0.0.1:${(other.address() as AddressInfo).port}/files?name=b`;
  const answer = await send(port, 'GET', undefined, {}, target);
  expect(await text(answer.response)).toMatch(/^127\.0\.0\.1:\d+ \/files\?name=b$/);
});

test('answers 503 with Retry-After while the other server is away', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await once(free.close(), 'close');
  const answer = await send(await forwardToPort(port), 'GET');
  expect(answer).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5', 'error-code': 'unavailable' },
  });
  expect(JSON.parse(await text(answer.response)).error).toBe('Service Unavailable');
});

test('answers 503 when the other server ends while it receives', async () => {
  const port = await forwardTo((given) => given.once('data', () => given.socket.destroy()));
  const answer = await send(port, 'POST', Buffer.alloc(1_000_000));
  expect(answer.status).toBe(503);
  answer.response.resume();
});

test('passes on a rejection that comes before the body has arrived', async () => {
  const port = await forwardTo((_given, response) => response.writeHead(403).end('no'));
  const answer = await send(port, 'POST', Buffer.alloc(20_000_000));
  expect([answer.status, await text(answer.response)]).toEqual([403, 'no']);
});

test('ends the request to the other server when a client goes away while it sends', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const port = await forwardTo((given) => {
    given.once('data', () => begin());
    given.once('close', () => resolve(given.complete)).on('error', () => undefined);
  });
  const sent = open(port, 'POST', { 'content-length': '1000000' }).on('error', () => undefined);
  sent.write('x');
  await begun;
  sent.destroy();
  expect(await ended).toBe(false);
});

test('ends the answer of the other server when a client goes away while it reads', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const port = await forwardTo((_given, response) => {
    response.once('close', () => resolve(response.writableFinished));
    response.write('x'.repeat(100_000));
  });
  const sent = open(port, 'GET').end();
  const [response] = await once(sent, 'response');
  response.on('error', () => undefined).destroy();
  expect(await ended).toBe(false);
});

test('cuts an answer off where the other server has cut it off', async () => {
  const port = await forwardTo((_given, response) => {
    response.write('part', () => response.destroy());
  });
  const answer = await send(port, 'GET');
  expect(answer.status).toBe(200);
  await expect(text(answer.response)).rejects.toThrow('aborted');
});

test('answers 429 to whoever has ten requests under way, until one has ended', async () => {
  const held: ServerResponse[] = [];
  const port = await forwardTo((_request, response) => held.push(response));
  const first = Array.from({ length: 10 }, () => send(port, 'GET'));
  await expect.poll(() => held.length).toBe(10);
  const refused = await send(port, 'GET');
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  for (const response of held.splice(0)) response.end();
  for (const { status, response } of await Promise.all(first)) {
    expect(status).toBe(200);
    await text(response);
  }
  const next = send(port, 'GET');
  await expect.poll(() => held.length).toBe(1);
  held[0]?.end();
  expect(await next).toMatchObject({ status: 200 });
});
