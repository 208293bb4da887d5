import { startReceiver } from '@atrium/testkit/receiver';
import { expect, test } from 'vitest';
import { Connections } from './connections.ts';
import { openTestSender } from './sender.fixture.ts';

const open = () =>
  new Connections({
    guard: () => false,
    resolve: async () => [],
    allowHttp: false,
    connectTimeoutMs: 1_000,
    connectionsPerOrigin: 1,
    isAddressLimited: () => false,
  });

function originOf(connections: Connections, url: string) {
  const target = connections.to(url, 'usr_1');
  if ('rejection' in target) throw new Error(target.rejection);
  return target.origin;
}

test('closes idle origins beyond a thousand and keeps those in use', async () => {
  await using connections = open();
  const busy = originOf(connections, 'https://busy.example');
  busy.activeCount = 1;
  const idle = originOf(connections, 'https://idle.example');
  idle.lastUsedMs -= 1;
  for (let i = 0; i < 999; i += 1) originOf(connections, `https://n${i}.example`);
  expect(originOf(connections, 'https://busy.example')).toBe(busy);
  expect(originOf(connections, 'https://idle.example')).not.toBe(idle);
  expect(idle.pool.closed).toBe(true);
});

test('destroys every pool on disposal', async () => {
  const connections = open();
  const { pool } = originOf(connections, 'https://a.example');
  await connections[Symbol.asyncDispose]();
  expect(pool.destroyed).toBe(true);
});

test('looks a name up for the account whose delivery is sent', async () => {
  await using receiver = await startReceiver({
    respond: () => ({ status: 200, headers: { connection: 'close' } }),
  });
  const accountIds: string[] = [];
  await using sender = openTestSender({
    async resolve(_hostname, accountId) {
      accountIds.push(accountId);
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  const url = `http://shared.example:${new URL(receiver.url).port}/`;
  for (const accountId of ['usr_1', 'usr_2']) {
    await sender.send({ accountId, url, headers: [], body: Buffer.from('{}') });
  }
  expect(accountIds).toEqual(['usr_1', 'usr_2']);
});
