import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  REVOKED_SESSIONS_PATH,
  revokedSessionsBeatKey,
  revokedSessionsEpochKey,
} from '@atrium/contracts/revoked-sessions';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { expect, it } from 'vitest';
import { startTcpProxy } from '../test/tcp-proxy.ts';
import { followRevokedSessions } from './revoked-sessions.ts';
import { sessionDigest } from './revoked-sessions-request.ts';
import { openRedis } from './redis.ts';

/** An auth service that knows these sessions to have ended. */
async function startAuth() {
  const ended = new Set<string>();
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    response.writeHead(request.url === REVOKED_SESSIONS_PATH ? 200 : 404);
    const sessions = [...ended].map((id) => [sessionDigest(id), Date.now() + 60_000]);
    response.end(JSON.stringify({ sessions }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    ended,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('security 19: asks auth itself while Redis is away', async () => {
  const { url, queuePrefix } = testRedis();
  await using direct = await openRedis({ url });
  await direct.client.set(revokedSessionsEpochKey(queuePrefix), 'first');
  await direct.client.set(revokedSessionsBeatKey(queuePrefix), '1');
  await using proxy = await startTcpProxy(url);
  await using redis = await openRedis({ url: proxy.url });
  await using auth = await startAuth();
  const options = { redis: redis.client, queuePrefix, authUrl: auth.url, intervalMs: 10 };
  await using list = await followRevokedSessions(options);
  expect([list.isRevoked('ses_1'), auth.asked()]).toEqual([false, 0]);

  await proxy.cut();
  auth.ended.add('ses_1');
  await until(() => list.isRevoked('ses_1'));
  expect(list.isRevoked('ses_2')).toBe(false);
});

it('security 19: asks auth itself when nobody fills the stream, as in a Redis that is full', async () => {
  const { url, queuePrefix } = testRedis();
  await using redis = await openRedis({ url });
  await redis.client.set(revokedSessionsEpochKey(queuePrefix), 'first');
  await redis.client.set(revokedSessionsBeatKey(queuePrefix), '1');
  await using auth = await startAuth();
  auth.ended.add('ses_1');
  const options = { redis: redis.client, queuePrefix, authUrl: auth.url, intervalMs: 10 };
  await using list = await followRevokedSessions(options);
  await redis.client.del(revokedSessionsBeatKey(queuePrefix));
  await until(() => list.isRevoked('ses_1'));
});

it('begins without Redis when auth answers, and knows nothing when neither does', async () => {
  const { queuePrefix } = testRedis();
  await using redis = await openRedis({ url: 'redis://127.0.0.1:1' });
  const options = { redis: redis.client, queuePrefix, intervalMs: 10 };
  await using auth = await startAuth();
  await using list = await followRevokedSessions({ ...options, authUrl: auth.url });
  await list.check();
  await using blind = await followRevokedSessions({ ...options, authUrl: 'http://127.0.0.1:1' });
  expect(() => blind.isRevoked('ses_1')).toThrow('Tokens cannot be verified at the moment');
});
