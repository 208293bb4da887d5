import * as client from 'openid-client';
import { afterAll, describe, expect, test } from 'vitest';
import { makeAccount, PASSWORD, startTestApp, type TestAccount } from '../../test-app.ts';
import { makeApplication, makeVerified, relyingParty, startOauthApp } from '../oauth.fixture.ts';
import { COMMAND_ID, poll, startDevice } from './device.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const NAME = 'ada-laptop';
const owner = await makeVerified(app, 'owner');
const television = await makeApplication(app, owner.accessToken, { kind: 'native', name: 'TV' });
const config = await relyingParty(origin, { id: television.id });

const start = () => startDevice(origin, { device_name: NAME });
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
  const { status, body } = await poll(origin, deviceCode);
  return [status, body['error']];
};
const statusOf = async (token: unknown) =>
  (await app.call('GET', '/user/me', { token: String(token) })).status;

async function devicesOf({ accessToken: token }: TestAccount) {
  const { body } = await app.call('GET', '/user/grants', { token });
  const grants = body['data'] as { application: object; devices: { id: string; name: string }[] }[];
  return grants.flatMap(({ devices }) => devices);
}

describe('the device of an application', () => {
  test('is logged in by a certified client, which refreshes and revokes', async () => {
    const person = await makeAccount(app, 'watcher');
    const scope = 'openid offline_access account:read';
    const codes = await client.initiateDeviceAuthorization(config, { scope });
    expect(codes).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'https://web.example/device',
      verification_uri_complete: `https://web.example/device?code=${codes.user_code}`,
      expires_in: expect.closeTo(600, -1),
      interval: 5,
    });
    const { body: shown } = await show(person, codes.user_code.toLowerCase().replace('-', ' '));
    expect(shown).toMatchObject({
      userCode: codes.user_code,
      application: { name: 'TV', owner: expect.any(String), isFirstParty: false },
      deviceName: null,
      scopes: ['openid', 'offline_access', 'account:read'],
      network: '127.0.0.0/24',
    });
    expect((await confirm(person, codes.user_code)).status).toBe(204);
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0.01 });
    expect(tokens.claims()).toMatchObject({ sub: person.id });
    expect(tokens.scope?.split(' ')).toContain('account:read');
    expect(await statusOf(tokens.access_token)).toBe(200);

    const refreshed = await client.refreshTokenGrant(config, String(tokens.refresh_token));
    expect(await statusOf(refreshed.access_token)).toBe(200);
    await client.tokenRevocation(config, String(refreshed.refresh_token));
    expect(await statusOf(refreshed.access_token)).toBe(401);
    expect(await devicesOf(person)).toEqual([]);
  });

  test('gets no refresh token that it did not ask for', async () => {
    const person = await makeAccount(app, 'guest-watcher');
    const codes = await client.initiateDeviceAuthorization(config, { scope: 'account:read' });
    await confirm(person, codes.user_code);
    const { body } = await poll(origin, codes.device_code, television.id);
    expect(body).toMatchObject({ access_token: expect.any(String) });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('cannot ask for more than its application is registered for, or with a name that hides', async () => {
    const asked = await startDevice(origin, { client_id: television.id, scope: 'notes:write' });
    expect([asked.status, asked.body['error']]).toEqual([400, 'invalid_scope']);
    const named = await startDevice(origin, { device_name: 'x\u202Ey' });
    expect([named.status, named.body['error']]).toEqual([400, 'invalid_request']);
  });

  test('gets nothing that its application is not registered for by naming the resource', async () => {
    const person = await makeAccount(app, 'overasked');
    const { deviceCode, userCode } = await startDevice(origin, {
      client_id: television.id,
      scope: 'openid account:read notes:write',
      resource: 'urn:atrium:services',
    });
    const { body: shown } = await show(person, userCode);
    expect(shown['scopes']).toEqual(['openid', 'account:read']);
    await confirm(person, userCode);
    expect((await poll(origin, deviceCode, television.id)).status).toBe(200);
    const { body } = await app.call('GET', '/user/grants', { token: person.accessToken });
    expect(body['data']).toMatchObject([{ scopes: ['openid', 'account:read'] }]);
  });

  test('of an application with a secret is refused', async () => {
    const web = await makeApplication(app, owner.accessToken);
    const site = await relyingParty(origin, web);
    await expect(client.initiateDeviceAuthorization(site, {})).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('the command of Atrium', () => {
  test('is logged in by name, and logged out from the list of applications', async () => {
    const person = await makeAccount(app, 'command-user');
    const { deviceCode, userCode } = await start();
    expect(await errorOf(deviceCode)).toEqual([400, 'authorization_pending']);
    expect((await show(person, userCode)).body).toMatchObject({
      application: { id: COMMAND_ID, name: 'Atrium command', owner: 'Atrium', isFirstParty: true },
      deviceName: NAME,
    });
    await confirm(person, userCode);
    const { body: tokens } = await poll(origin, deviceCode);
    expect(await statusOf(tokens['access_token'])).toBe(200);
    const [device] = await devicesOf(person);
    expect(device).toMatchObject({ name: NAME });
    const { accessToken: token } = person;
    const stranger = await makeAccount(app, 'stranger');
    const logOut = (by: string) => app.call('DELETE', `/user/devices/${device?.id}`, { token: by });
    expect((await logOut(stranger.accessToken)).status).toBe(404);
    expect((await logOut(token)).status).toBe(204);
    expect(await statusOf(tokens['access_token'])).toBe(401);
    expect(await devicesOf(person)).toEqual([]);
  });

  test('cannot be confirmed with an access token alone, or with a wrong password', async () => {
    const account = await makeAccount(app, 'token-stolen');
    const { deviceCode, userCode } = await start();
    expect((await confirm(account, userCode, {})).status).toBe(400);
    expect((await confirm(account, userCode, { password: 'a wrong guess' })).status).toBe(401);
    expect(await errorOf(deviceCode)).toEqual([400, 'authorization_pending']);
  });

  test('is logged in once by a code', async () => {
    const account = await makeAccount(app, 'once-only');
    const { deviceCode, userCode } = await start();
    await confirm(account, userCode);
    const { body } = await poll(origin, deviceCode);
    expect(await statusOf(body['access_token'])).toBe(200);
    // Somebody else has the code too: whoever was logged in by it is logged out.
    expect(await errorOf(deviceCode)).toEqual([400, 'invalid_grant']);
    expect(await statusOf(body['access_token'])).toBe(401);
    expect((await confirm(account, userCode)).status).toBe(404);
  });

  test('is told that it was denied', async () => {
    const account = await makeAccount(app, 'denier');
    const { deviceCode, userCode } = await start();
    expect((await deny(account, userCode)).status).toBe(204);
    expect((await confirm(account, userCode)).status).toBe(404);
    expect(await errorOf(deviceCode)).toEqual([400, 'access_denied']);
  });

  const ends: [string, (account: TestAccount) => Promise<{ status: number }>][] = [
    ['logout', ({ accessToken: token }) => app.call('POST', '/auth/logout', { token })],
    [
      'password',
      ({ accessToken: token }) =>
        app.call('POST', '/user/change-password', {
          token,
          body: { currentPassword: PASSWORD, newPassword: 'a lantern in the fog' },
        }),
    ],
    ['others', ({ accessToken: token }) => app.call('DELETE', '/user/sessions', { token })],
  ];

  test.each(ends)(
    'is not logged in when its confirmation was followed by: %s',
    async (name, end) => {
      const account = await makeAccount(app, `before-${name}`);
      const { deviceCode, userCode } = await start();
      await confirm(account, userCode);
      expect((await end(account)).status).toBeLessThan(300);
      expect(await errorOf(deviceCode)).toEqual([400, 'invalid_grant']);
    },
  );

  test.each(ends.slice(1))('is logged out by: %s', async (name, end) => {
    const account = await makeAccount(app, `after-${name}`);
    const { deviceCode, userCode } = await start();
    await confirm(account, userCode);
    const { body } = await poll(origin, deviceCode);
    expect(await statusOf(body['access_token'])).toBe(200);
    await end(account);
    expect(await statusOf(body['access_token'])).toBe(401);
  });

  test('confirmed by one account is not denied by what another one does', async () => {
    const [account, other] = [
      await makeAccount(app, 'one-owner'),
      await makeAccount(app, 'another'),
    ];
    const { deviceCode, userCode } = await start();
    await confirm(account, userCode);
    await app.call('DELETE', '/user/sessions', { token: other.accessToken });
    expect((await poll(origin, deviceCode)).status).toBe(200);
  });

  test('stores no device code, and records who has confirmed', async () => {
    const account = await makeAccount(app, 'recorded');
    const { deviceCode, userCode } = await start();
    const rows = await app.db.query('SELECT oauth_records::text AS row FROM oauth_records');
    expect(JSON.stringify(rows)).toContain(NAME);
    expect(JSON.stringify(rows)).not.toContain(deviceCode);
    await confirm(account, userCode);
    const { body } = await app.call('GET', '/user/audit?kind=device_login.confirmed', {
      token: account.accessToken,
    });
    expect(body['data']).toMatchObject([{ data: { client: `Atrium command: ${NAME}` } }]);
  });

  test('has ten minutes', async () => {
    const account = await makeAccount(app, 'latecomer');
    const { deviceCode, userCode } = await start();
    app.clock.advanceMs += 601_000;
    expect(await errorOf(deviceCode)).toEqual([400, 'invalid_grant']);
    expect((await show(account, userCode)).status).toBe(404);
    expect((await confirm(account, userCode)).status).toBe(404);
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
