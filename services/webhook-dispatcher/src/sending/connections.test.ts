import { expect, test } from 'vitest';
import { Connections } from './connections.ts';

const open = (originsMax: number) =>
  new Connections({
    guard: () => false,
    resolve: async () => [],
    connectTimeoutMs: 1_000,
    connectionsPerOrigin: 1,
    originsMax,
  });

test('idle origins make room for new ones, and those in use stay', async () => {
  await using connections = open(3);
  const busy = connections.to('https://busy.example');
  busy.active = 1;
  const idle = connections.to('https://idle.example');
  idle.lastUsedMs -= 1;
  for (let i = 0; i < 20; i += 1) {
    connections.to(`https://n${i}.example`).lastUsedMs -= 1;
    expect(connections.originCount).toBeLessThanOrEqual(3);
  }
  expect(connections.to('https://busy.example')).toBe(busy);
  expect(connections.to('https://idle.example')).not.toBe(idle);
  expect(idle.pool.closed).toBe(true);
});

test('disposed of, every pool is destroyed', async () => {
  const connections = open(3);
  const { pool } = connections.to('https://a.example');
  await connections[Symbol.asyncDispose]();
  expect(pool.destroyed).toBe(true);
  expect(connections.originCount).toBe(0);
});
