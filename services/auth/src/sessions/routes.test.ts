import { afterAll, describe, expect, test } from 'vitest';
import { makeVerified } from '../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD, signIn, startTestApp, valueOf } from '../test-app.ts';

const logs: string[] = [];
const app = await startTestApp({}, { log: { write: (line) => logs.push(line) } });
afterAll(() => app[Symbol.asyncDispose]());

const refresh = (refreshToken: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/refresh', { cookies: { refreshToken }, headers });
const logout = (refreshToken: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/logout', { cookies: { refreshToken }, headers });

const COOKIE =
  /^refreshToken=[\w-]{43}; Max-Age=604800; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/;
const CLEARED = 'refreshToken=; Max-Age=0; Path=/auth; HttpOnly; Secure; SameSite=Lax';
const DEVICE_COOKIE =
  /^device=[\w-]+\.[\w-]{43}; Max-Age=34560000; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/;

describe('login', () => {
  test('answers the access token and the user', async () => {
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
    expect(answer.headers['cache-control']).toBe('no-store');
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

  test('a device keeps its identity from login to login', async () => {
    const account = await makeAccount(app, 'undisturbed');
    const again = await signIn(app, account, { cookies: { device: account.device } });
    expect(again.device).toBe(account.device);
  });
});

describe('cookies', () => {
  test('security 11: the cookies have all their attributes, from login to logout', async () => {
    const { email } = await makeAccount(app, 'attributes');
    const login = await app.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
    expect(login.cookies).toEqual({
      refreshToken: expect.stringMatching(COOKIE),
      device: expect.stringMatching(DEVICE_COOKIE),
    });
    const refreshed = await refresh(valueOf(login.cookies['refreshToken']));
    expect(refreshed.cookies).toEqual({ refreshToken: expect.stringMatching(COOKIE) });
    const left = await logout(valueOf(refreshed.cookies['refreshToken']));
    expect(left.cookies).toEqual({ refreshToken: CLEARED });
  });

  test('security 11: the refresh token is in no body and no log', async () => {
    const { refreshToken, email, device } = await makeAccount(app, 'secretive');
    const rotated = await refresh(refreshToken);
    const successor = valueOf(rotated.cookies['refreshToken']);
    const again = await app.call('POST', '/auth/refresh', { cookies: { refreshToken, device } });
    const login = await app.call('POST', '/auth/login', {
      body: { email, password: PASSWORD },
      cookies: { refreshToken: successor },
    });
    const third = valueOf(login.cookies['refreshToken']);
    const refused = await refresh(successor);
    const left = await logout(third);
    const bodies = [rotated, again, login, refused, left].map(({ body }) => JSON.stringify(body));
    expect(logs.some((line) => line.includes('/auth/refresh'))).toBe(true);
    for (const token of [refreshToken, successor, third]) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect([...bodies, ...logs].filter((text) => text.includes(token))).toEqual([]);
    }
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

  test('ends the session of the access token when there is no cookie', async () => {
    const { refreshToken, accessToken: token } = await makeAccount(app, 'cookieless');
    expect((await app.call('POST', '/auth/logout', { token })).status).toBe(204);
    expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  test('ends both sessions when the cookie and the access token are of different ones', async () => {
    const first = await makeAccount(app, 'twosessions');
    const second = await signIn(app, first);
    await app.call('POST', '/auth/logout', {
      token: first.accessToken,
      cookies: { refreshToken: second.refreshToken },
    });
    for (const { accessToken: token } of [first, second]) {
      expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
    }
  });

  test('ends the session of the cookie when the access token is not valid', async () => {
    const { refreshToken, accessToken } = await makeAccount(app, 'staletoken');
    const cookies = { refreshToken };
    const answer = await app.call('POST', '/auth/logout', { cookies, token: 'not.a.token' });
    expect([answer.status, answer.cookies]).toEqual([204, { refreshToken: CLEARED }]);
    expect((await app.call('GET', '/user/me', { token: accessToken })).status).toBe(401);
  });

  test('ends the session of the cookie alone when the access token is that of a program', async () => {
    const { refreshToken, accessToken } = await makeVerified(app, 'programmer');
    const body = { name: 'Backup', scopes: ['notes:read'], expiresInDays: 7, password: PASSWORD };
    const made = await app.call('POST', '/user/tokens', { token: accessToken, body });
    const [cookies, token] = [{ refreshToken }, String(made.body['token'])];
    const answer = await app.call('POST', '/auth/logout', { cookies, token });
    expect([answer.status, answer.cookies]).toEqual([204, { refreshToken: CLEARED }]);
    expect((await app.call('GET', '/user/me', { token: accessToken })).status).toBe(401);
    expect((await app.call('GET', '/user/me', { token })).status).toBe(403);
  });

  test('answers 204 without a cookie and without an access token', async () => {
    expect((await app.call('POST', '/auth/logout')).status).toBe(204);
  });
});

describe('origins', () => {
  test.each([
    [{ origin: 'https://app.example' }, 200],
    [{ origin: 'https://web.example' }, 200],
    [{ origin: 'http://auth.example' }, 200],
    [{}, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'https://app.example.evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, 403],
  ])(
    'security 12: refresh and logout from %j answer %i',
    async (headers: Record<string, string>, status) => {
      const account = await makeAccount(app, `origin${crypto.randomUUID().slice(0, 8)}`);
      const refreshed = await refresh(account.refreshToken, headers);
      expect(refreshed.status).toBe(status);
      expect((await logout(account.refreshToken, headers)).status).toBe(
        status === 200 ? 204 : status,
      );
      const me = await app.call('GET', '/user/me', { token: account.accessToken });
      expect(me.status).toBe(status === 200 ? 401 : 200);
    },
  );

  test.each(['/auth/refresh', '/auth/logout'])('security 12: %s by GET is refused', async (url) => {
    const { refreshToken, accessToken } = await makeAccount(
      app,
      `get${crypto.randomUUID().slice(0, 8)}`,
    );
    const answer = await app.call('GET', url, { cookies: { refreshToken } });
    expect([answer.status, answer.cookies]).toEqual([404, {}]);
    expect((await app.call('GET', '/user/me', { token: accessToken })).status).toBe(200);
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});
