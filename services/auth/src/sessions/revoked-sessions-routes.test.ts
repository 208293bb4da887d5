import { followRevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { sessionDigest } from '@atrium/service-kit/revoked-sessions-request';
import { openRedis } from '@atrium/service-kit/redis';
import { until } from '@atrium/testkit/until';
import { afterAll, expect, test } from 'vitest';
import { makeAccount, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const sidOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid;
const ended = () => app.call('GET', '/internal/revoked-sessions');

test('security 19: a service without Redis learns from auth which sessions have ended', async () => {
  const authUrl = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await using redis = await openRedis({ url: 'redis://127.0.0.1:1' });
  const options = { redis: redis.client, queuePrefix: 'nobody', authUrl, intervalMs: 10 };
  await using service = await followRevokedSessions(options);
  const { accessToken, refreshToken } = await makeAccount(app, 'faraway');
  const sessionId = sidOf(accessToken);
  expect(service.isRevoked(sessionId)).toBe(false);
  await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
  await until(() => service.isRevoked(sessionId));
});

test('what anybody may read names no session, and only while it is needed', async () => {
  const { accessToken, refreshToken } = await makeAccount(app, 'nameless');
  const sessionId = sidOf(accessToken);
  await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
  const { status, body, headers } = await ended();
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body['sessions']).toContainEqual([sessionDigest(sessionId), expect.any(Number)]);
  expect(JSON.stringify(body)).not.toContain(sessionId);
  app.clock.advanceMs = 1_000_000;
  expect((await ended()).body).toEqual({ sessions: [] });
  app.clock.advanceMs = 0;
});
