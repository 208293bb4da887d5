import { Cluster, Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createRedisClient } from './redis-client.ts';

const open = (url: string) => createRedisClient(url, { lazyConnect: true }).options;

test('connects to the servers of a cluster with the account of the URL', () => {
  const client = createRedisClient('rediss+cluster://me:p%40ss@a:7000,b', { lazyConnect: true });
  expect(client).toBeInstanceOf(Cluster);
  expect(client).toMatchObject({
    startupNodes: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
    ],
    options: { redisOptions: { username: 'me', password: 'p@ss', tls: {} } },
  });
});

test('asks Sentinels for the master that the URL names', () => {
  expect(open('redis+sentinel://me:secret@a:1,b/atrium')).toMatchObject({
    sentinels: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26_379 },
    ],
    name: 'atrium',
    username: 'me',
    password: 'secret',
  });
});

test('speaks TLS to one server', () => {
  expect(createRedisClient('rediss://a', { lazyConnect: true })).toBeInstanceOf(Redis);
  expect(open('rediss://me:secret@a:7000/2')).toMatchObject({
    host: 'a',
    port: 7000,
    db: 2,
    username: 'me',
    password: 'secret',
    tls: {},
  });
  expect(open('redis://a')).not.toHaveProperty('tls');
});
