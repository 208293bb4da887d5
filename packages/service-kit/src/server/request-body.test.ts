import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';
import { gatherBody } from './request-body.ts';

const CHUNKS = 40_000;

test('keeps a body that arrives byte by byte in few blocks', async () => {
  const blocks = Promise.withResolvers<Buffer[]>();
  const sizes: number[] = [];
  const server = createServer((request, response) => {
    const body = gatherBody(request, (bytes) => sizes.push(bytes));
    body.toArray().then(blocks.resolve, blocks.reject);
    void blocks.promise.finally(() => response.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  socket.write(
    'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  socket.write(`${'1\r\nx\r\n'.repeat(CHUNKS)}0\r\n\r\n`);
  const received = await blocks.promise;
  expect(received.map(({ length }) => length)).toEqual([16_384, 16_384, CHUNKS - 2 * 16_384]);
  expect(sizes).toEqual([16_384, 2 * 16_384, 3 * 16_384]);
  expect(String(Buffer.concat(received))).toBe('x'.repeat(CHUNKS));
  await once(server.close(), 'close');
});

test.each([
  ['nobody reads it', true],
  ['its handler reads it', false],
])('holds few chunks of a body that arrives byte by byte while %s', async (_, isLate) => {
  const { promise: chunks, resolve } = Promise.withResolvers<Buffer[]>();
  await using app = await startTestServer((server) => {
    server.get('/unread', async ({ raw }) => {
      if (isLate) await expect.poll(() => raw.complete).toBe(true);
      const held: Buffer[] = [];
      raw.on('data', (chunk: Buffer) => held.push(chunk));
      await once(raw, 'end');
      resolve(held);
      return {};
    });
  });
  const socket = connect(Number(new URL(app.origin).port), '127.0.0.1').resume();
  onTestFinished(() => void socket.destroy());
  socket.write('GET /unread HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
  socket.write(`${'1\r\nx\r\n'.repeat(CHUNKS)}0\r\n\r\n`);
  expect(String(Buffer.concat(await chunks))).toBe('x'.repeat(CHUNKS));
  expect((await chunks).length).toBeLessThan(CHUNKS / 100);
});

test('returns 422 for JSON that would take many times its bytes', async () => {
  await using app = await startTestServer((server) => {
    server.post('/take', { bodyLimit: 1024 ** 2 }, async () => ({}));
  });
  const post = (body: string) =>
    fetch(`${app.origin}/take`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  const refused = await post(JSON.stringify(Array.from({ length: 30_000 }, () => ({}))));
  expect([refused.status, await refused.json()]).toEqual([
    422,
    { error: 'Validation Error', message: 'Request body has more than 20000 values' },
  ]);
  const text = await post(JSON.stringify('[{,\\"'.repeat(20_000)));
  expect(text.status).toBe(200);
});

test('a small request does not wait for all the large bodies that arrived before it', async () => {
  const handled: string[] = [];
  await using app = await startTestServer(
    (server) => {
      server.post('/large', { bodyLimit: 1_000_000 }, async () => handled.push('large'));
      server.get('/small', async () => handled.push('small'));
    },
    { inFlight: { processBytes: 1e9, holderBytes: 1e9 } },
  );
  const body = JSON.stringify({ text: 'a'.repeat(200_000) });
  const head = `host: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const sockets = await Promise.all(
    Array.from({ length: 31 }, async () => {
      const socket = connect({ port: app.port, host: '127.0.0.1' }).resume();
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      return socket;
    }),
  );
  const [small, ...large] = sockets;
  await Promise.all(
    large.map((socket) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      socket.write(`POST /large HTTP/1.1\r\n${head}${body.slice(0, -1)}`, resolve);
      return promise;
    }),
  );
  // Its answer shows that the server has read what was sent before.
  await fetch(`${app.origin}/small`);
  for (const socket of large) socket.write('}');
  small?.write('GET /small HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => handled.length).toBe(32);
  expect(handled.lastIndexOf('small')).toBeLessThan(10);
});
