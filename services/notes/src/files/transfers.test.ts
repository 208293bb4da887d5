import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTransfers } from './transfers.ts';

const LIMITS = { uploads: 1, downloads: 1 };

/** A server whose handler transfers. */
async function start(
  transfer: (
    given: { body: IncomingMessage; response: ServerResponse },
    transfers: ReturnType<typeof createTransfers>,
  ) => Promise<unknown>,
) {
  const transfers = createTransfers(LIMITS);
  const server = createServer((body, response) => {
    void transfer({ body, response }, transfers);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = (method: string, headers = {}) =>
    request({ port, host: '127.0.0.1', method, headers, agent: false }).on(
      'error',
      () => undefined,
    );
  return {
    open,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const store = async (
  { body, response }: { body: IncomingMessage; response: ServerResponse },
  transfers: ReturnType<typeof createTransfers>,
) => {
  transfers.receive({ client: 'ada', response });
  const content = await buffer(body);
  response.end(String(content.length));
};

test('receives what arrives in time', async () => {
  await using server = await start(store);
  const upload = server.open('POST', { 'content-length': '200000' });
  upload.end(Buffer.alloc(200_000));
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  expect(String(await buffer(response))).toBe('200000');
});

test('counts readers of one IPv6 network as one', async () => {
  const refused: unknown[] = [];
  const ips = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'];
  await using server = await start(async ({ response }, transfers) => {
    try {
      transfers.send(Readable.from([]), { client: ips.shift() ?? '', response });
      response.write('begun');
    } catch (error) {
      refused.push(error);
      response.end();
    }
  });
  for (let n = 0; n < 3; n += 1) {
    const download = server.open('GET').end();
    await once(download, 'response');
  }
  expect(refused).toMatchObject([{ status: 429 }]);
});

test('carries as many transfers of one account as it may, and others once they end', async () => {
  const refused: unknown[] = [];
  await using server = await start(async (given, transfers) => {
    try {
      await store(given, transfers);
    } catch (error) {
      refused.push(error);
      given.response.end('refused');
    }
  });
  const first = server.open('POST', { 'content-length': '2' });
  first.write('1');
  await once(first, 'socket');
  const second = server.open('POST', { 'content-length': '1' });
  second.end('1');
  await once(second, 'response');
  first.end('2');
  await once(first, 'response');
  const third = server.open('POST', { 'content-length': '1' });
  third.end('1');
  await once(third, 'response');
  expect(refused).toMatchObject([{ status: 429, headers: { 'retry-after': '1' } }]);
});
