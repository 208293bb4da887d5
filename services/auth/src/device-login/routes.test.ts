import { afterAll, describe, expect, test } from 'vitest';
import { makeAccount, PASSWORD, startTestApp, type TestAccount, valueOf } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const NAME = 'atrium on ada-laptop';

async function start() {
  const { status, body } = await app.call('POST', '/auth/device', { body: { client_name: NAME } });
  expect(status).toBe(200);
  return { deviceCode: String(body['device_code']), userCode: String(body['user_code']), body };
}
const poll = (deviceCode: string) =>
  app.call('POST', '/auth/device/token', { body: { device_code: deviceCode } });
const show = ({ accessToken: token }: TestAccount, code: string) =>
  app.call('GET', `/auth/device/${code}`, { token });
const confirm = (
  { accessToken: token }: TestAccount,
  code: string,
  body: object = { password: PASSWORD },
) => app.call('POST', `/auth/device/${code}/confirm`, { token, body });
const deny = ({ accessToken: token }: TestAccount, code: string) =>
  app.call('POST', `/auth/device/${code}/deny`, { token });
const errorOf = async (deviceCode: string) => {
  const { status, body } = await poll(deviceCode);
  return [status, body['error']];
};

describe('a device login', () => {
  test('starts a session of its own, listed by name, refreshed by cookie, and revocable', async () => {
    const account = await makeAccount(app, 'command-user');
    const { deviceCode, userCode, body } = await start();
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'https://web.example/device',
      verification_uri_complete: `https://web.example/device?code=${userCode}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await errorOf(deviceCode)).toEqual([400, 'authorization_pending']);
    const shown = await show(account, userCode.toLowerCase().replace('-', ' '));
    expect(shown.body).toMatchObject({ userCode, clientName: NAME, network: '127.0.0.0/24' });
    expect((await confirm(account, userCode)).status).toBe(204);

    const { status, body: login, cookies } = await poll(deviceCode);
    expect([status, login['user']]).toEqual([200, expect.objectContaining({ id: account.id })]);
    const token = String(login['accessToken']);
    const { body: list } = await app.call('GET', '/user/sessions', { token });
    const [session] = list['data'] as { id: string; current: boolean; device: object }[];
    expect(session).toMatchObject({ current: true, device: { browser: `"${NAME}"` } });
    const refreshed = await app.call('POST', '/auth/refresh', {
      cookies: { refreshToken: valueOf(cookies['refreshToken']) },
    });
    expect(refreshed.status).toBe(200);
    await app.call('DELETE', `/user/sessions/${session?.id}`, { token: account.accessToken });
    expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
  });

  test('cannot be confirmed with an access token alone, or with a wrong password', async () => {
    const account = await makeAccount(app, 'token-stolen');
    const { deviceCode, userCode } = await start();
    expect((await confirm(account, userCode, {})).status).toBe(400);
    expect((await confirm(account, userCode, { password: 'a wrong guess' })).status).toBe(401);
    expect(await errorOf(deviceCode)).toEqual([400, 'authorization_pending']);
  });

  test('is used once', async () => {
    const account = await makeAccount(app, 'once-only');
    const { deviceCode, userCode } = await start();
    await confirm(account, userCode);
    const statuses = (await Promise.all([poll(deviceCode), poll(deviceCode)])).map(
      (it) => it.status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(await errorOf(deviceCode)).toEqual([400, 'expired_token']);
    expect((await confirm(account, userCode)).status).toBe(404);
  });

  test('answers access_denied once it was denied', async () => {
    const account = await makeAccount(app, 'denier');
    const { deviceCode, userCode } = await start();
    expect((await deny(account, userCode)).status).toBe(204);
    expect(await errorOf(deviceCode)).toEqual([400, 'access_denied']);
    expect((await confirm(account, userCode)).status).toBe(404);
  });

  test('answers access_denied when the session that confirmed it was revoked', async () => {
    const account = await makeAccount(app, 'stolen-session');
    const { deviceCode, userCode } = await start();
    await confirm(account, userCode);
    await app.call('POST', '/auth/logout', { token: account.accessToken });
    expect(await errorOf(deviceCode)).toEqual([400, 'access_denied']);
  });

  test.each([
    [
      'the password was changed',
      'changer',
      ({ accessToken: token }: TestAccount) =>
        app.call('POST', '/user/change-password', {
          token,
          body: { currentPassword: PASSWORD, newPassword: 'a lantern in the fog' },
        }),
    ],
    [
      'all other sessions were revoked',
      'revoker',
      ({ accessToken: token }: TestAccount) => app.call('DELETE', '/user/sessions', { token }),
    ],
  ])('answers access_denied when %s after it was confirmed', async (_when, username, revoke) => {
    const account = await makeAccount(app, username);
    const { deviceCode, userCode } = await start();
    await confirm(account, userCode);
    expect((await revoke(account)).status).toBeLessThan(300);
    expect(await errorOf(deviceCode)).toEqual([400, 'access_denied']);
  });

  test('confirmed by one account is not denied by what another one does', async () => {
    const [account, other] = [
      await makeAccount(app, 'one-owner'),
      await makeAccount(app, 'another'),
    ];
    const { deviceCode, userCode } = await start();
    await confirm(account, userCode);
    await app.call('DELETE', '/user/sessions', { token: other.accessToken });
    expect((await poll(deviceCode)).status).toBe(200);
  });

  test('answers slow_down to a client that polls too soon, and asks for longer pauses', async () => {
    const { deviceCode } = await start();
    expect(await errorOf(deviceCode)).toEqual([400, 'authorization_pending']);
    expect(await errorOf(deviceCode)).toEqual([400, 'slow_down']);
    app.clock.advanceMs += 5_500;
    expect(await errorOf(deviceCode)).toEqual([400, 'slow_down']);
    app.clock.advanceMs += 15_500;
    expect(await errorOf(deviceCode)).toEqual([400, 'authorization_pending']);
  });

  test('answers expired_token after ten minutes, and cannot be confirmed then', async () => {
    const account = await makeAccount(app, 'latecomer');
    const { deviceCode, userCode } = await start();
    app.clock.advanceMs += 601_000;
    expect(await errorOf(deviceCode)).toEqual([400, 'expired_token']);
    expect((await show(account, userCode)).status).toBe(404);
    expect((await confirm(account, userCode)).status).toBe(404);
  });

  test('stores no device code', async () => {
    const { deviceCode } = await start();
    const rows = await app.db.query('SELECT device_logins::text AS row FROM device_logins');
    expect(JSON.stringify(rows)).not.toContain(deviceCode);
  });

  test('is recorded in the activity log of the account', async () => {
    const account = await makeAccount(app, 'recorded');
    const { userCode } = await start();
    await confirm(account, userCode);
    const { body } = await app.call('GET', '/user/audit?kind=device_login.confirmed', {
      token: account.accessToken,
    });
    expect(body['data']).toMatchObject([{ data: { client: NAME } }]);
  });
});

test('user codes cannot be guessed by trying', async () => {
  await using limited = await startTestApp({ RATE_LIMITS: 'on' });
  const { accessToken: token } = await makeAccount(limited, 'guesser');
  const statuses = new Set<number>();
  for (let i = 0; i < 31; i += 1) {
    statuses.add((await limited.call('GET', '/auth/device/BBBBBBBB', { token })).status);
  }
  expect([...statuses]).toEqual([404, 429]);
});
