import { afterAll, describe, expect, test } from 'vitest';
import {
  makeAccount,
  PASSWORD,
  signIn,
  startTestApp,
  type TestAccount,
  valueOf,
} from '../test-app.ts';

const app = await startTestApp({ TRUST_PROXY: 'true' });
afterAll(() => app[Symbol.asyncDispose]());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Listed {
  id: string;
  network: string;
  current: boolean;
}

const list = async ({ accessToken: token }: TestAccount, query = '') =>
  (await app.call('GET', `/user/sessions${query}`, { token })).body as {
    data: Listed[];
    nextCursor: string | null;
  };
const end = ({ accessToken: token }: TestAccount, id = '') =>
  app.call('DELETE', `/user/sessions${id === '' ? '' : `/${id}`}`, { token });
const meStatus = async ({ accessToken: token }: TestAccount) =>
  (await app.call('GET', '/user/me', { token })).status;
const refreshStatus = async ({ refreshToken }: TestAccount) =>
  (await app.call('POST', '/auth/refresh', { cookies: { refreshToken } })).status;
const currentId = async (account: TestAccount) =>
  (await list(account)).data.find(({ current }) => current)?.id ?? '';

describe('the list of sessions', () => {
  test('shows device and network of each session and marks the current one', async () => {
    const first = await makeAccount(app, 'lister');
    const second = await signIn(app, first, {
      headers: { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.77' },
    });
    const { data, nextCursor } = await list(second);
    expect(nextCursor).toBeNull();
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^ses_[0-9a-hjkmnp-tv-z]{26}$/),
        device: { browser: 'Firefox', os: 'Linux' },
        network: '203.0.113.0/24',
        createdAt: expect.stringMatching(TIMESTAMP),
        lastSeenAt: expect.stringMatching(TIMESTAMP),
        expiresAt: expect.stringMatching(TIMESTAMP),
        current: true,
      },
      expect.objectContaining({ network: '127.0.0.0/24', current: false }),
    ]);
    expect((await list(first)).data.map(({ current }) => current)).toEqual([false, true]);
  });

  test('shows where a session was last used', async () => {
    const account = await makeAccount(app, 'traveller');
    await app.call('POST', '/auth/refresh', {
      cookies: { refreshToken: account.refreshToken },
      headers: { 'x-forwarded-for': '2001:db8:1:2:3::4' },
    });
    expect((await list(account)).data[0]?.network).toBe('2001:db8:1::/48');
  });

  test('is paged, without revoked sessions and those of other accounts', async () => {
    const account = await makeAccount(app, 'pages');
    await makeAccount(app, 'bystander');
    const others = [await signIn(app, account), await signIn(app, account)];
    const gone = await signIn(app, account);
    await end(gone, await currentId(gone));
    const page = await list(account, '?limit=2');
    const rest = await list(account, `?limit=2&cursor=${page.nextCursor}`);
    expect([page.data.length, rest.data.length, rest.nextCursor]).toEqual([2, 1, null]);
    const ids = [...page.data, ...rest.data].map(({ id }) => id);
    const expected = await Promise.all([account, ...others].map(currentId));
    expect(ids.toSorted()).toEqual(expected.toSorted());
    const bad = await app.call('GET', '/user/sessions?cursor=%25', { token: account.accessToken });
    expect(bad.status).toBe(422);
  });
});

describe('ending sessions', () => {
  test('security 19: a revoked session is refused, the others keep working', async () => {
    const kept = await makeAccount(app, 'revoker');
    const revoked = await signIn(app, kept);
    const answer = await end(kept, await currentId(revoked));
    expect([answer.status, answer.body]).toEqual([204, {}]);
    expect([await meStatus(revoked), await refreshStatus(revoked)]).toEqual([401, 401]);
    expect([await meStatus(kept), await refreshStatus(kept)]).toEqual([200, 200]);
  });

  test('security 19: revokes all other sessions at once', async () => {
    const kept = await makeAccount(app, 'only');
    const others = [await signIn(app, kept), await signIn(app, kept)];
    expect((await end(kept)).status).toBe(204);
    for (const other of others) {
      expect([await meStatus(other), await refreshStatus(other)]).toEqual([401, 401]);
    }
    expect([await meStatus(kept), (await list(kept)).data.length]).toEqual([200, 1]);
  });

  test('security 19: after logout both tokens are refused', async () => {
    const account = await makeAccount(app, 'logsout');
    const { refreshToken } = account;
    await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
    expect([await meStatus(account), await refreshStatus(account)]).toEqual([401, 401]);
  });

  test('returns 404 for the session of another account', async () => {
    const account = await makeAccount(app, 'victim');
    const attacker = await makeAccount(app, 'attacker');
    const answer = await end(attacker, await currentId(account));
    expect([answer.status, answer.body]).toEqual([
      404,
      { error: 'Not Found', message: 'Session not found' },
    ]);
    expect(await meStatus(account)).toBe(200);
  });

  test('revokes the current session and clears its cookie', async () => {
    const account = await makeAccount(app, 'selfender');
    const answer = await end(account, await currentId(account));
    expect(answer.cookies['refreshToken']).toContain('Max-Age=0; Path=/auth');
    expect([await meStatus(account), await refreshStatus(account)]).toEqual([401, 401]);
  });

  test('security 18: a login with an existing cookie revokes the old session', async () => {
    const old = await makeAccount(app, 'relogin');
    const { email, refreshToken } = old;
    const successor = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
    const body = { email, password: PASSWORD };
    const wrong = { body: { ...body, password: 'wrong' }, cookies: { refreshToken } };
    expect((await app.call('POST', '/auth/login', wrong)).status).toBe(401);
    expect(await meStatus(old)).toBe(200);

    const fresh = await signIn(app, old, { cookies: { refreshToken } });
    expect([await meStatus(old), await refreshStatus(old)]).toEqual([401, 401]);
    const heir = valueOf(successor.cookies['refreshToken']);
    expect(await refreshStatus({ ...old, refreshToken: heir })).toBe(401);
    expect([await meStatus(fresh), await refreshStatus(fresh)]).toEqual([200, 200]);
  });
});
