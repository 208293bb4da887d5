import { createAddressGuard } from '@atrium/service-kit/address-guard';
import { type AddressQueries, createResolver } from '@atrium/service-kit/resolver';
import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';

const { promise: never } = Promise.withResolvers<never>();

/** Names are looked up by queries that no thread waits for, as hashes of passwords need the threads. */
function guardedFetch(queries: AddressQueries, networks: string[] = []) {
  return createGuardedFetch(
    createAddressGuard(networks),
    createResolver({ queries, timeoutMs: 100 }),
  );
}
const loopback: AddressQueries = {
  resolve4: async () => [{ address: '127.0.0.1', ttl: 60 }],
  resolve6: async () => [],
};

test('posts to the address that a name server answers, if the guard allows it', async () => {
  await using receiver = await listen((_request, response) => void response.writeHead(204).end());
  const urlOf = (host: string) => `http://${host}:${new URL(receiver.url).port}/logout`;
  const init = { method: 'POST', body: 'logout_token=x' };
  const { status } = await guardedFetch(loopback, ['127.0.0.0/8'])(urlOf('rp.example'), init);
  expect(status).toBe(204);
  const refused = guardedFetch(loopback)(urlOf('other.example'), init);
  await expect(refused).rejects.toThrow('private or reserved address');
});

test('reads ten informational responses before the answer, and gives up at one more', async () => {
  await using receiver = await listen((request, response) => {
    const count = Number(request.url?.slice(1));
    for (let n = 0; n < count; n += 1) response.writeEarlyHints({ link: '</style.css>' });
    response.writeHead(204).end();
  });
  const { port } = new URL(receiver.url);
  const post = (count: number) =>
    guardedFetch(loopback, ['127.0.0.0/8'])(`http://rp.example:${port}/${count}`, {
      method: 'POST',
      body: 'logout_token=x',
    });
  expect((await post(10)).status).toBe(204);
  await expect(post(11)).rejects.toThrow('More than 10 informational responses');
});

test('closes the connection of an answer that does not end', async () => {
  const piece = Buffer.alloc(65_536);
  const { promise: sent, resolve } = Promise.withResolvers<number>();
  await using receiver = await listen((_request, response) => {
    let bytes = 0;
    const send = () => {
      while (!response.destroyed && response.write(piece)) bytes += piece.length;
      bytes += piece.length;
    };
    response.on('drain', send).on('close', () => resolve(bytes));
    send();
  });
  const url = `http://rp.example:${new URL(receiver.url).port}/logout`;
  const answer = await guardedFetch(loopback, ['127.0.0.0/8'])(url, { method: 'POST', body: '' });
  expect(answer.status).toBe(200);
  // What the buffers of both ends hold is sent too.
  expect(await sent).toBeLessThan(32 * 2 ** 20);
});

test('gives a silent name server up', async () => {
  const silent = guardedFetch({ resolve4: () => never, resolve6: () => never });
  const asked = silent('https://rp.example/logout', { method: 'POST', body: '' });
  await expect(asked).rejects.toThrow('could not be resolved within 100 ms');
});
