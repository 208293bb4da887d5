import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

const CHUNKS = '1\r\nx\r\n'.repeat(1_000);
const ENDING = '1\r\nx\r\n0\r\n\r\n';

let app: TestServer;

beforeAll(async () => {
  app = await startTestServer((server) => {
    server.get('/found', () => ({}));
    server.delete('/found', () => ({}));
    server.post(
      '/refused',
      { onRequest: (_request, reply) => void reply.code(401).send({}) },
      () => ({}),
    );
  });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** A client that has sent the head of a request with a body in chunks, and has read its answer. */
async function begin(request: string) {
  const socket = connect(app.port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const send = (line: string) =>
    socket.write(`${line} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`);
  const answers = () => text.match(/(?<=HTTP\/1.1 )\d+/g) ?? [];
  send(request);
  await expect.poll(answers).toHaveLength(1);
  return { socket, send, answers };
}

test.each([
  ['GET /found', '200'],
  ['DELETE /found', '415'],
  ['GET /missing', '404'],
  ['POST /refused', '401'],
])('ends the connection of a body that goes on after the answer to %s', async (request, status) => {
  const { socket, answers } = await begin(request);
  expect(answers()).toEqual([status]);
  const sendMore = () => {
    while (socket.write(CHUNKS));
  };
  socket.on('drain', sendMore);
  sendMore();
  await expect.poll(() => socket.destroyed, { timeout: 10_000 }).toBe(true);
});

test('ends the connection of a body whose end does not come', async () => {
  const { socket } = await begin('GET /found');
  await expect.poll(() => socket.destroyed, { timeout: 10_000 }).toBe(true);
});

test.each(['GET /found', 'POST /refused'])(
  'answers further requests when the rest of the body of %s is short',
  async (request) => {
    const { socket, send, answers } = await begin(request);
    socket.write(ENDING);
    send(request);
    socket.write(ENDING);
    await expect.poll(answers).toHaveLength(2);
    expect(socket.destroyed).toBe(false);
  },
);
