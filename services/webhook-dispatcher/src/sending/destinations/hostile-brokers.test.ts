import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDestinations } from './destinations.fixture.ts';

type Bytes = string | Buffer;

/** Answers what it is sent first with the first of these, and so on; afterwards it says nothing. */
async function startServer(answers: readonly Bytes[]) {
  const server = createServer((socket) => {
    const rest = [...answers];
    socket.on('error', () => undefined);
    socket.on('data', () => void socket.write(rest.shift() ?? ''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** What becomes of a delivery to such a server. An error that nobody handles fails the test too. */
async function errorFrom(kind: 'redis', answers: readonly Bytes[]) {
  const credentials = { username: 'a', password: 'b' };
  const destination = { kind, stream: 'events', credentials };
  await using destinations = openTestDestinations({ timeoutMs: 1_000 });
  const port = await startServer(answers);
  const { outcome, error } = await destinations.attempt(
    `${kind}://127.0.0.1:${port}/`,
    destination,
  );
  await turn();
  expect(outcome).toBe('retry');
  return error;
}

const NOT_REDIS = 'The server does not answer as Redis does';

test.each([
  ['a push without a subscription', ['>1\r\n_\r\n']],
  ['more answers than questions', ['+OK\r\n$-1\r\n_\r\n_\r\n']],
  ['an array of millions', ['*30000000\r\n']],
  ['arrays in arrays', ['*1\r\n'.repeat(200_000)]],
  ['a string without an end', [`+${'x'.repeat(100_000)}`]],
  ['a string of gigabytes', ['$4294967296\r\n']],
  ['a string of less than nothing', ['$-5\r\n']],
  ['the answer of another server', ['HTTP/1.1 400 Bad Request\r\n\r\n']],
])('Redis: %s ends the connection, not the worker', async (_what, answers) => {
  expect(await errorFrom('redis', answers)).toBe(NOT_REDIS);
});
