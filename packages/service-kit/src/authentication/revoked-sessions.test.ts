import { listen } from '@atrium/testkit/http-listener';
import { until } from '@atrium/testkit/until';
import { expect, it } from 'vitest';
import { followRevokedSessions, revokedSessionsOf, sessionDigest } from './revoked-sessions.ts';

/** An auth service that has revoked these sessions. */
async function startAuth() {
  const revoked: string[] = [];
  const server = await listen((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://auth').searchParams.get('cursor') ?? '0';
    const sessions = revoked
      .slice(Number(cursor), Number(cursor) + 2)
      .map((id) => ({ digest: sessionDigest(id), expiresAtMs: Date.now() + 60_000 }));
    const next = Number(cursor) + sessions.length;
    const page = { sessions, nextCursor: String(next), hasMore: next < revoked.length };
    response.end(JSON.stringify(page));
  });
  return {
    url: server.url,
    revoked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

it('reads every page, and then only what is new', async () => {
  await using auth = await startAuth();
  auth.revoked.push('ses_1', 'ses_2', 'ses_3');
  const read = revokedSessionsOf(auth.url);
  const cursors: (string | undefined)[] = [];
  await using list = await followRevokedSessions({
    read: (cursor) => {
      cursors.push(cursor);
      return read(cursor);
    },
    intervalMs: 10,
  });
  expect(['ses_1', 'ses_3', 'ses_4'].map(list.isRevoked)).toEqual([true, true, false]);
  expect(cursors.slice(0, 2)).toEqual([undefined, '2']);
  auth.revoked.push('ses_4');
  await until(() => list.isRevoked('ses_4'));
  expect(cursors.slice(2).every((cursor) => cursor !== undefined && cursor >= '3')).toBe(true);
});

it('refuses every token until the list has been read once', async () => {
  let isAway = true;
  await using auth = await startAuth();
  await using list = await followRevokedSessions({
    read: (cursor) => revokedSessionsOf(isAway ? 'http://127.0.0.1:1' : auth.url)(cursor),
  });
  expect(() => list.isRevoked('ses_1')).toThrow('Tokens cannot be verified at the moment');
  await expect(list.check()).rejects.toThrow('not known yet');
  isAway = false;
  await until(() => list.check().then(() => true));
  expect(list.isRevoked('ses_1')).toBe(false);
});

it('keeps the known sessions while auth is unavailable, and catches up afterwards', async () => {
  await using auth = await startAuth();
  auth.revoked.push('ses_1');
  let isAway = false;
  await using list = await followRevokedSessions({
    read: (cursor) => revokedSessionsOf(isAway ? 'http://127.0.0.1:1' : auth.url)(cursor),
    intervalMs: 10,
  });
  isAway = true;
  auth.revoked.push('ses_2');
  await list.sync();
  expect(['ses_1', 'ses_2'].map(list.isRevoked)).toEqual([true, false]);
  isAway = false;
  await until(() => list.isRevoked('ses_2'));
});

it('forgets a session once its access tokens have expired', async () => {
  let nowMs = 1_000_000;
  let sessions = [
    { digest: sessionDigest('short'), expiresAtMs: nowMs + 30_000 },
    { digest: sessionDigest('long'), expiresAtMs: nowMs + 90_000 },
  ];
  await using list = await followRevokedSessions({
    read: async () => ({ sessions, nextCursor: '', hasMore: false }),
    clockMs: () => nowMs,
  });
  sessions = [];
  nowMs += 60_000;
  await list.sync();
  expect(['short', 'long'].map(list.isRevoked)).toEqual([false, true]);
});

it('rejects an answer that is not a page of revoked sessions', async () => {
  await using other = await listen((_request, response) => response.end('{"sessions":[]}'));
  await expect(revokedSessionsOf(other.url)()).rejects.toThrow('did not answer with a page');
});
