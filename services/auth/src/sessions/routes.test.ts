import { afterAll, describe, expect, test } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp, valueOf } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const refresh = (refreshToken: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/refresh', { cookies: { refreshToken }, headers });
const logout = (refreshToken: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/logout', { cookies: { refreshToken }, headers });

const CLEARED = 'refreshToken=; Max-Age=0; Path=/auth; HttpOnly; Secure; SameSite=Lax';
const REFUSED = { error: 'Unauthorized', message: 'Session has ended, please log in again' };

describe('login', () => {
  test('answers the access token and the user, and sets the cookies to the letter', async () => {
    await makeAccount(app, 'loginer');
    const body = { email: 'LOGINER@example.com', password: PASSWORD };
    const answer = await app.call('POST', '/auth/login', { body });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      user: {
        id: expect.stringMatching(/^usr_[0-9a-hjkmnp-tv-z]{26}$/),
        name: 'Ada Lovelace',
        username: 'loginer',
        email: 'loginer@example.com',
        avatar: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(answer.cookies).toEqual({
      refreshToken: expect.stringMatching(
        /^refreshToken=[\w-]{43}; Max-Age=604800; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/,
      ),
      device: expect.stringMatching(
        /^device=[\w-]+\.[\w-]{43}; Max-Age=34560000; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/,
      ),
    });
  });

  test('a wrong password and an unknown address get the same answer', async () => {
    const { email } = await makeAccount(app, 'wrongpass');
    for (const address of [email, 'nobody@example.com']) {
      const body = { email: address, password: 'not the password' };
      const answer = await app.call('POST', '/auth/login', { body });
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'Unauthorized', message: 'Invalid email or password' },
      ]);
      expect(answer.cookies).toEqual({});
    }
  });
});

describe('refresh', () => {
  test('rotates the cookie and answers only the access token', async () => {
    const { refreshToken } = await makeAccount(app, 'refresher');
    const answer = await refresh(refreshToken);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['accessToken']]);
    const successor = valueOf(answer.cookies['refreshToken']);
    expect(successor).not.toBe(refreshToken);
    expect((await refresh(successor)).status).toBe(200);
  });

  test('20 at once with one cookie: all 200, one and the same successor', async () => {
    const { refreshToken } = await makeAccount(app, 'twentytabs');
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map((answer) => answer.cookies['refreshToken'])).size).toBe(1);
  });

  test('a replay after 20 s ends the whole family and clears the cookie', async () => {
    const { refreshToken, accessToken } = await makeAccount(app, 'replayed');
    const successor = valueOf((await refresh(refreshToken)).cookies['refreshToken']);
    app.clock.advanceMs = 19_000;
    const inTime = await refresh(refreshToken);
    app.clock.advanceMs = 21_000;
    const late = await refresh(refreshToken);
    const afterwards = await refresh(successor);
    const me = await app.call('GET', '/user/me', { token: accessToken });
    app.clock.advanceMs = 0;
    expect(valueOf(inTime.cookies['refreshToken'])).toBe(successor);
    expect([late.status, late.body, late.cookies]).toEqual([
      401,
      REFUSED,
      { refreshToken: CLEARED },
    ]);
    expect([afterwards.status, me.status]).toEqual([401, 401]);
  });

  test('a token dies after 7 days without use', async () => {
    const { refreshToken } = await makeAccount(app, 'longgone');
    app.clock.advanceMs = 604_801_000;
    const answer = await refresh(refreshToken);
    app.clock.advanceMs = 0;
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
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
});

describe('logout', () => {
  test('answers 204, clears the cookie and ends the session', async () => {
    const { refreshToken, accessToken } = await makeAccount(app, 'leaver');
    const answer = await logout(refreshToken);
    expect([answer.status, answer.body, answer.cookies]).toEqual([
      204,
      {},
      { refreshToken: CLEARED },
    ]);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await app.call('GET', '/user/me', { token: accessToken })).status).toBe(401);
  });

  test('without a cookie there is nothing to end, which is fine', async () => {
    expect((await app.call('POST', '/auth/logout')).status).toBe(204);
  });
});

describe('origins', () => {
  test.each([
    [{ origin: 'https://app.example' }, 200],
    [{ origin: 'https://web.example' }, 200],
    [{ origin: 'http://auth.example' }, 200],
    [{}, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
  ])('a refresh from %j answers %i', async (headers: Record<string, string>, status) => {
    const account = await makeAccount(app, `origin${crypto.randomUUID().slice(0, 8)}`);
    expect((await refresh(account.refreshToken, headers)).status).toBe(status);
    expect((await logout(account.refreshToken, headers)).status).toBe(status === 200 ? 204 : 403);
  });
});

test('a device keeps its identity from login to login', async () => {
  const account = await makeAccount(app, 'undisturbed');
  const again = await signIn(app, account, { cookies: { device: account.device } });
  expect(again.device).toBe(account.device);
});
