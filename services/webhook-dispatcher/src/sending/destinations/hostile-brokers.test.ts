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

/** One delivery to such a server. An error that nobody handles fails the test too. */
async function attemptAt(kind: 'redis' | 'amqp', answers: readonly Bytes[], timeoutMs = 30_000) {
  const credentials = { username: 'a', password: 'b' };
  const destination =
    kind === 'redis'
      ? { kind, stream: 'events', credentials }
      : { kind, exchange: '', routingKey: 'x', credentials };
  await using destinations = openTestDestinations({ timeoutMs });
  const port = await startServer(answers);
  const made = await destinations.attempt(`${kind}://127.0.0.1:${port}/`, destination);
  await turn();
  return made;
}

const refused = (error: unknown) => ({ outcome: 'retry', status: null, error });
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
  expect(await attemptAt('redis', answers)).toEqual(refused(NOT_REDIS));
});

function frame(type: number, channel: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt8(type);
  head.writeUInt16BE(channel, 1);
  head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.from([0xce])]);
}
function method(channel: number, classId: number, id: number, hex = ''): Buffer {
  const ids = Buffer.from([0, classId, 0, id]);
  return frame(1, channel, Buffer.concat([ids, Buffer.from(hex, 'hex')]));
}
const start = method(0, 10, 10, '000900000000' + '00000005504c41494e' + '00000005656e5f5553');
const tune = (frameMax = '00020000') => method(0, 10, 30, `0064${frameMax}000a`);
const openOk = method(0, 10, 41, '00');
const channelOpenOk = method(1, 20, 11, '00000000');
const selectOk = method(1, 85, 11);
const ack = (tag: string, multiple: string) => method(1, 60, 80, tag + multiple);
const opening = [start, tune(), openOk, channelOpenOk];
const NOT_AMQP = 'The server does not answer as AMQP 0-9-1 asks';

test.each([
  ['the answer of another server', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]],
  ['a frame of gigabytes', [Buffer.from('010000ffffffff', 'hex')]],
  ['a frame of an unknown type', [start, frame(9, 0, Buffer.alloc(0))]],
  ['no room in a frame', [start, tune('00000009')]],
  ['the handshake out of order', [start, Buffer.concat([openOk, tune()])]],
  ['the handshake twice', [start, Buffer.concat([tune(), openOk, start])]],
  [
    'an unknown method after the handshake',
    [start, Buffer.concat([tune(), openOk, method(9, 9, 9)])],
  ],
])('AMQP: %s ends the connection, not the worker', async (_what, answers) => {
  expect(await attemptAt('amqp', answers)).toEqual(refused(NOT_AMQP));
});

test.each([
  ['never confirms', [...opening, selectOk]],
  ['confirms what it was not sent', [...opening, selectOk, ack('00000000ffffffff', '00')]],
  ['returns what it was not sent', [...opening, selectOk, frame(2, 1, Buffer.alloc(14))]],
])('AMQP: a broker that %s has not taken the message', async (_what, answers) => {
  const made = await attemptAt('amqp', answers, 1_000);
  expect(made).toEqual(refused('No confirmation within 1000 ms'));
});

test.each([
  ['a method without a number', [frame(1, 0, Buffer.from([0]))]],
  ['limits without numbers', [start, method(0, 10, 30, '00')]],
  ['a confirmation without a number', [...opening, Buffer.concat([selectOk, method(1, 60, 80)])]],
])('AMQP: %s ends the connection, not the worker', async (_what, answers) => {
  expect(await attemptAt('amqp', answers)).toEqual(
    refused(expect.stringContaining('outside buffer')),
  );
});

test('AMQP: an endless stream of small frames is cut off', async () => {
  const flood = Buffer.alloc(3_000_000, frame(8, 0, Buffer.alloc(0)));
  const made = await attemptAt('amqp', [...opening, Buffer.concat([selectOk, flood])]);
  expect(made).toEqual(refused('The server sent more than is read'));
});

test('AMQP: a message counts as delivered when the broker confirms it', async () => {
  const made = await attemptAt('amqp', [...opening, selectOk, ack('0000000000000001', '00')]);
  expect(made).toEqual({ outcome: 'delivered', status: 200, error: null });
});
