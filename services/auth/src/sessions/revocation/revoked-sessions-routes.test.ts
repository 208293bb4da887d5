import { isDeepStrictEqual } from 'node:util';
import {
  followRevokedSessions,
  revokedSessionsOf,
  sessionDigest,
} from '@atrium/service-kit/revoked-sessions';
import { until } from '@atrium/testkit/until';
import { afterAll, expect, test } from 'vitest';
import { makeAccount, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const PATH = '/internal/revoked-sessions';
const sidOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid;

test('security 19: a service learns from auth over HTTP which sessions are revoked', async () => {
  const authUrl = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await using service = await followRevokedSessions({
    read: revokedSessionsOf(authUrl),
    intervalMs: 10,
  });
  const { accessToken, refreshToken } = await makeAccount(app, 'faraway');
  const sessionId = sidOf(accessToken);
  expect(service.isRevoked(sessionId)).toBe(false);
  await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
  await until(() => service.isRevoked(sessionId));
});

test('the list shows digests instead of session ids, and omits expired sessions', async () => {
  const { accessToken, refreshToken } = await makeAccount(app, 'nameless');
  const sessionId = sidOf(accessToken);
  await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
  const { status, body, headers } = await app.call('GET', PATH);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body['sessions']).toContainEqual({
    digest: sessionDigest(sessionId),
    expiresAtMs: expect.any(Number),
  });
  expect(JSON.stringify(body)).not.toContain(sessionId);
  app.clock.advanceMs = 4_600_000;
  expect((await app.call('GET', PATH)).body).toMatchObject({ sessions: [], hasMore: false });
  app.clock.advanceMs = 0;
});

test('returns only what was revoked since the cursor', async () => {
  const sessionsSince = async (cursor: string) =>
    (await app.call('GET', `${PATH}?cursor=${cursor}`)).body['sessions'];
  let cursor = '0';
  // A transaction of another test, in any database of the server, holds the cursor back until it ends.
  await until(async () => {
    cursor = String((await app.call('GET', PATH)).body['nextCursor']);
    return isDeepStrictEqual(await sessionsSince(cursor), []);
  });
  const { accessToken, refreshToken } = await makeAccount(app, 'later');
  await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
  expect(await sessionsSince(cursor)).toMatchObject([
    { digest: sessionDigest(sidOf(accessToken)) },
  ]);
});

test('returns 422 for a cursor that it did not give out', async () => {
  for (const cursor of ['x', '1.2', `1.2.${'g'.repeat(64)}`, '99999999999999999999']) {
    expect((await app.call('GET', `${PATH}?cursor=${cursor}`)).status).toBe(422);
  }
});

test('returns 422 for a cursor that Postgres cannot read', async () => {
  for (const cursor of ['0877', `1.08.${'a'.repeat(64)}`, '-1', 'x']) {
    const answer = await app.call('GET', `/internal/revoked-sessions?cursor=${cursor}`);
    expect([cursor, answer.status]).toEqual([cursor, 422]);
  }
});
