import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp, type TestApp, valueOf } from '../test-app.ts';
import { tokenHash } from '../token-hash.ts';

// Graces and lifetimes pass with time: it stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const logs: string[] = [];
const app = await startTestApp({}, { log: { write: (line) => logs.push(line) } });
afterAll(() => app[Symbol.asyncDispose]());

const CLEARED = 'refreshToken=; Max-Age=0; Path=/auth; HttpOnly; Secure; SameSite=Lax';
const REFUSED = { error: 'Unauthorized', message: 'Session has ended, please log in again' };
const DAY_MS = 86_400_000;

const refresh = (refreshToken: string, of: TestApp = app) =>
  of.call('POST', '/auth/refresh', { cookies: { refreshToken } });
const refreshFrom = (device: string, refreshToken: string) =>
  app.call('POST', '/auth/refresh', { cookies: { refreshToken, device } });
const successorOf = async (refreshToken: string, of: TestApp = app) =>
  valueOf((await refresh(refreshToken, of)).cookies['refreshToken']);
const meStatus = async (token: string) => (await app.call('GET', '/user/me', { token })).status;

function claimsOf(accessToken: string): { sid: string; exp: number } {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
}
const sidOf = (accessToken: string) => claimsOf(accessToken).sid;

/** Runs at a later time by the clock of the app. */
async function after<T>(delayMs: number, work: () => Promise<T>, of: TestApp = app): Promise<T> {
  of.clock.advanceMs = delayMs;
  try {
    return await work();
  } finally {
    of.clock.advanceMs = 0;
  }
}

/** Starts requests one after another while the session is locked, so that they really meet. */
async function meet<T>(refreshToken: string, requests: (() => Promise<T>)[]): Promise<T[]> {
  const running: Promise<T>[] = [];
  await app.db.transaction({ job: 'test' }, async (tx) => {
    await tx.query(
      `SELECT 1 FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id WHERE t.hash = $1
       FOR NO KEY UPDATE OF s`,
      [tokenHash(refreshToken)],
    );
    for (const request of requests) {
      running.push(request());
      // More than these get no connection; they wait for one instead.
      if (running.length <= 6) await untilBlocked(app.db, running.length);
    }
  });
  return Promise.all(running);
}

test('a refresh rotates the cookie and returns only the access token', async () => {
  const { refreshToken } = await makeAccount(app, 'refresher');
  const answer = await refresh(refreshToken);
  expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['accessToken']]);
  const successor = valueOf(answer.cookies['refreshToken']);
  expect(successor).not.toBe(refreshToken);
  expect((await refresh(successor)).status).toBe(200);
});

test.each([undefined, 'nonsense', 'x'.repeat(43)])('the cookie %j is refused', async (token) => {
  const cookies: Record<string, string> = token === undefined ? {} : { refreshToken: token };
  const answer = await app.call('POST', '/auth/refresh', { cookies });
  expect([answer.status, answer.body, answer.cookies]).toEqual([
    401,
    REFUSED,
    { refreshToken: CLEARED },
  ]);
});

describe('a reused token', () => {
  test('security 13: reuse after 20 s returns 401, revokes the session and is logged', async () => {
    const { id, refreshToken, accessToken } = await makeAccount(app, 'replayed');
    const successor = await successorOf(refreshToken);
    const late = await after(21_000, () => refresh(refreshToken));
    expect([late.status, late.body, late.cookies]).toEqual([
      401,
      REFUSED,
      { refreshToken: CLEARED },
    ]);
    expect((await refresh(successor)).status).toBe(401);
    expect(await meStatus(accessToken)).toBe(401);
    const line = logs.find((one) => one.includes('"refresh.reused"') && one.includes(id));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'warn', accountId: id });
  });

  test('security 13: reuse of a much older token revokes the session too', async () => {
    const { refreshToken } = await makeAccount(app, 'grandchild');
    const child = await successorOf(refreshToken);
    const grandchild = await after(30_000, () => successorOf(child));
    expect((await after(60_000, () => refresh(refreshToken))).status).toBe(401);
    expect((await refresh(grandchild)).status).toBe(401);
  });

  test('security 14: twenty parallel refreshes all get the same successor', async () => {
    const { refreshToken, device } = await makeAccount(app, 'twentytabs');
    const answers = await meet(
      refreshToken,
      Array.from({ length: 20 }, () => () => refreshFrom(device, refreshToken)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map((answer) => answer.cookies['refreshToken'])).size).toBe(1);
    const rows = await app.db.query(
      `SELECT 1 FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
       JOIN accounts a ON a.id = s.account_id WHERE a.username = 'twentytabs'`,
    );
    expect(rows).toHaveLength(2);

    // Whichever answer a client took last, it goes on with it.
    const [first, last] = [answers.at(0), answers.at(-1)];
    const next = await successorOf(valueOf(last?.cookies['refreshToken']));
    const again = await refreshFrom(device, valueOf(first?.cookies['refreshToken']));
    expect(valueOf(again.cookies['refreshToken'])).toBe(next);
    expect((await refresh(next)).status).toBe(200);
  });

  test('security 15: reuse within 20 s returns the same successor', async () => {
    const { refreshToken, device } = await makeAccount(app, 'lostanswer');
    const lost = await successorOf(refreshToken);
    const again = await after(19_000, () => refreshFrom(device, refreshToken));
    expect([again.status, valueOf(again.cookies['refreshToken'])]).toEqual([200, lost]);
    expect(await meStatus(String(again.body['accessToken']))).toBe(200);
    expect((await refresh(lost)).status).toBe(200);
  });
});

describe('the end of a session', () => {
  test('security 16: it ends 7 days after the login, however often it is refreshed', async () => {
    let { refreshToken } = await makeAccount(app, 'absolute');
    for (let day = 1; day < 7; day += 1) {
      const token = refreshToken;
      refreshToken = await after(day * DAY_MS, () => successorOf(token));
      expect(refreshToken).toMatch(/^[\w-]{43}$/);
    }
    const lastMinute = await after(7 * DAY_MS - 60_000, () => refresh(refreshToken));
    expect(lastMinute.status).toBe(200);
    const successor = valueOf(lastMinute.cookies['refreshToken']);
    const answer = await after(7 * DAY_MS + 1000, () => refresh(successor));
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
  });

  test('security 16: with REFRESH_SLIDING it ends 7 days after its last use', async () => {
    await using sliding = await startTestApp({ REFRESH_SLIDING: 'on' });
    let { refreshToken } = await makeAccount(sliding, 'slider');
    for (const day of [6, 12, 18]) {
      const token = refreshToken;
      refreshToken = await after(day * DAY_MS, () => successorOf(token, sliding), sliding);
    }
    const answer = await after(26 * DAY_MS, () => refresh(refreshToken, sliding), sliding);
    expect(answer.status).toBe(401);
  });

  test('security 16: tokens are 256 random bits, of which only hashes are stored', async () => {
    const { refreshToken } = await makeAccount(app, 'hashed');
    const successor = await successorOf(refreshToken);
    for (const token of [refreshToken, successor]) {
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    }
    const rows = await app.db.query<{ row: string }>(
      'SELECT t::text || s::text AS row FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id',
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const token of [refreshToken, successor]) {
      expect(stored).not.toContain(token);
      expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
    }
  });
});

describe('a refresh that races with the end of its session', () => {
  const ends = {
    logout: (_token: string, refreshToken: string) =>
      app.call('POST', '/auth/logout', { cookies: { refreshToken } }),
    'new password': (token: string) =>
      app.call('POST', '/user/change-password', {
        token,
        body: { currentPassword: PASSWORD, newPassword: 'an umbrella by the door' },
      }),
  };

  test.each([
    ['logout', 'first', 401],
    ['logout', 'last', 401],
    ['new password', 'first', 200],
    ['new password', 'last', 200],
  ] as const)('security 17: a %s that comes %s wins', async (what, place, ownStatus) => {
    const own = await makeAccount(app, `${what.replace(' ', '')}${place}`);
    const session = what === 'logout' ? own : await signIn(app, own);
    const { refreshToken, accessToken, device } = session;
    // The tokens before the race are as good as expired: what is remembered must outlive new ones.
    await app.db.query('UPDATE sessions SET access_expires_at = $2 WHERE id = $1', [
      sidOf(accessToken),
      new Date(),
    ]);
    const end = () => ends[what](own.accessToken, refreshToken);
    const refreshes = Array.from({ length: 4 }, () => () => refreshFrom(device, refreshToken));
    const answers = await meet(
      refreshToken,
      place === 'first' ? [end, ...refreshes] : [...refreshes, end],
    );
    const ended = place === 'first' ? answers.shift() : answers.pop();
    expect(ended?.status).toBe(what === 'logout' ? 204 : 200);
    expect(await meStatus(own.accessToken)).toBe(ownStatus);
    await expectDead([accessToken], [refreshToken], answers);
    const [entry] = await app.db.query<{ expiresAt: Date }>(
      'SELECT expires_at AS "expiresAt" FROM revoked_sessions WHERE session_id = $1',
      [sidOf(accessToken)],
    );
    const newest = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    for (const body of newest) {
      const { exp } = claimsOf(String(body['accessToken']));
      expect(entry?.expiresAt.getTime()).toBeGreaterThan(exp * 1000);
    }
  });

  /** Whatever the race gave out is worth nothing afterwards. */
  async function expectDead(
    accessTokens: string[],
    refreshTokens: string[],
    refreshes: Awaited<ReturnType<typeof refresh>>[],
  ): Promise<void> {
    const won = refreshes.filter(({ status }) => status === 200);
    const access = [...accessTokens, ...won.map(({ body }) => String(body['accessToken']))];
    const cookies = [
      ...refreshTokens,
      ...won.map((answer) => valueOf(answer.cookies['refreshToken'])),
    ];
    expect(await Promise.all(access.map(meStatus))).toEqual(access.map(() => 401));
    const statuses = await Promise.all(cookies.map(async (token) => (await refresh(token)).status));
    expect(statuses).toEqual(cookies.map(() => 401));
  }
});
