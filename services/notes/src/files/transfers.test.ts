import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTransfers, type TransferLimits } from './transfers.ts';

const LIMITS = { uploads: 1, downloads: 1, graceMs: 60_000, bytesPerSecond: 1024 };

/** A server whose handler transfers, and what that ended with. */
async function start(
  limits: Partial<TransferLimits>,
  transfer: (
    given: { body: IncomingMessage; response: ServerResponse },
    transfers: ReturnType<typeof createTransfers>,
  ) => Promise<unknown>,
) {
  const transfers = createTransfers({ ...LIMITS, ...limits });
  const ends: Promise<unknown>[] = [];
  const server = createServer((body, response) => {
    ends.push(transfer({ body, response }, transfers).catch((error: unknown) => error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = (method: string, headers = {}) =>
    request({ port, host: '127.0.0.1', method, headers, agent: false }).on(
      'error',
      () => undefined,
    );
  return {
    ends,
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
  const content = await buffer(transfers.receive(body, { client: 'ada', response }));
  response.end(String(content.length));
};

test('ends an upload that stops arriving', async () => {
  await using server = await start({ graceMs: 50 }, store);
  const upload = server.open('POST', { 'content-length': '100' });
  upload.write('the beginning');
  await once(upload, 'error');
  expect(await server.ends[0]).toMatchObject({ message: 'The file arrives too slowly' });
});

test('receives what arrives in time', async () => {
  await using server = await start({}, store);
  const upload = server.open('POST', { 'content-length': '200000' });
  upload.end(Buffer.alloc(200_000));
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  expect(String(await buffer(response))).toBe('200000');
});

test('ends a download that nobody takes, and the reading of its content', async () => {
  const content = new Readable({ read: () => content.push(Buffer.alloc(65_536)) });
  await using server = await start({ graceMs: 50 }, async ({ response }, transfers) => {
    transfers.send(content, { client: 'ada', response }).pipe(response);
    await once(response, 'close');
  });
  const download = server.open('GET');
  download.end();
  const [response] = (await once(download, 'response')) as [IncomingMessage];
  // Paused: it is not read at all.
  await server.ends[0];
  response.destroy();
  expect(content.destroyed).toBe(true);
});

test('carries as many transfers of one account as it may, and others once they end', async () => {
  const refused: unknown[] = [];
  await using server = await start({}, async (given, transfers) => {
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
