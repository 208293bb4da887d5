import { afterAll, describe, expect, test } from 'vitest';
import { addPasskey, addTotp, verifyAddress } from '../second-factor/second-factor.fixture.ts';
import { poll, startDevice } from '../oauth/device-login/device.fixture.ts';
import { startOauthApp } from '../oauth/oauth.fixture.ts';
import { makeAccount, PASSWORD, signIn } from '../test-app.ts';
import { makeOperator, signInTwice } from './operator.fixture.ts';

const NAMES = [
  'grace',
  'listed',
  'early',
  'moved',
  'stripped',
  'keyholder',
  'terminal',
  'delayed',
  'watcher',
];
const OPERATOR_EMAILS = NAMES.map((name) => `${name}@Example.com`).join(',');
const { app, origin, ...started } = await startOauthApp({ OPERATOR_EMAILS });
afterAll(() => started[Symbol.asyncDispose]());

const NOT_FOUND = [404, { error: 'Not Found', message: 'Page not found' }];

async function accounts(token: string) {
  const { status, body } = await app.call('GET', '/api/operator/accounts', { token });
  return [status, body];
}

async function refreshed(refreshToken: string): Promise<string> {
  const { body } = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
  return String(body['accessToken']);
}

test('an operator who passed the second factor has the role, also after a refresh', async () => {
  const { accessToken, refreshToken } = await makeOperator(app, 'grace');
  expect((await accounts(accessToken))[0]).toBe(200);
  expect((await accounts(await refreshed(refreshToken)))[0]).toBe(200);
});

test('a login with a passkey passes two factors in one', async () => {
  const account = await makeAccount(app, 'keyholder');
  const { authenticator } = await addPasskey(app, account);
  const options = await app.call('POST', '/auth/passkey/options');
  const credential = authenticator.get(options.body);
  const { body } = await app.call('POST', '/auth/passkey', { body: { credential } });
  expect((await accounts(String(body['accessToken'])))[0]).toBe(200);
});

test('the role is never that of a device that was confirmed in a session with it', async () => {
  const operator = await makeOperator(app, 'terminal');
  const { userCode, deviceCode } = await startDevice(origin);
  const confirm = { password: PASSWORD, code: operator.codes.next() };
  const { accessToken: token } = operator;
  await app.call('POST', `/auth/device/${userCode}/confirm`, { token, body: confirm });
  const { status, body } = await poll(origin, deviceCode);
  expect(status).toBe(200);
  const answer = await accounts(String(body['access_token']));
  expect(answer).toMatchObject([403, { error: 'Forbidden' }]);
});

describe('answers 404, as for a path that does not exist,', () => {
  test('to an account that is not listed', async () => {
    const { accessToken, call } = await makeOperator(app, 'mallory');
    expect(await accounts(accessToken)).toEqual(NOT_FOUND);
    // Before anything is validated or looked up.
    const answers = await Promise.all([
      call('GET', '?limit=0'),
      call('GET', '/usr_unknown'),
      call('GET', '/usr_unknown/actions'),
      call('PATCH', '/usr_unknown', {}),
      call('POST', '/usr_unknown/suspend'),
      call('POST', '/usr_unknown/unsuspend', { reason: 1 }),
      call('POST', '/usr_unknown/sign-out', {}),
      app.call('GET', '/api/operator/services/auth', { token: accessToken }),
    ]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => NOT_FOUND));
  });

  test('to a listed account without a second factor', async () => {
    const account = await makeAccount(app, 'listed');
    await verifyAddress(app, account);
    expect(await accounts((await signIn(app, account)).accessToken)).toEqual(NOT_FOUND);
  });

  test('to a session that began before the second factor was on', async () => {
    const account = await addTotp(app, await makeAccount(app, 'early'));
    expect(await accounts(await refreshed(account.refreshToken))).toEqual(NOT_FOUND);
  });

  test('once the address has changed and the token was refreshed', async () => {
    const { id, refreshToken } = await makeOperator(app, 'moved');
    await app.db.query(`UPDATE accounts SET email = 'elsewhere@example.com' WHERE id = $1`, [id]);
    expect(await accounts(await refreshed(refreshToken))).toEqual(NOT_FOUND);
  });

  test('once the second factor is off and the token was refreshed', async () => {
    const { id, refreshToken } = await makeOperator(app, 'stripped');
    await app.db.prisma.totpFactor.delete({ where: { accountId: id } });
    expect(await accounts(await refreshed(refreshToken))).toEqual(NOT_FOUND);
  });
});

test('returns 401 for no token and for one that has expired, with the role in it', async () => {
  const operator = await makeOperator(app, 'delayed');
  const anonymous = await app.call('GET', '/api/operator/accounts');
  expect(anonymous.status).toBe(401);
  app.clock.advanceMs += 901_000;
  expect(await accounts(operator.accessToken)).toEqual([
    401,
    { error: 'Unauthorized', message: 'Token expired' },
  ]);
  const again = await signInTwice(app, operator);
  expect((await accounts(again.accessToken))[0]).toBe(200);
});

test('tells an operator the version and the readiness of the service', async () => {
  const { accessToken: token } = await makeOperator(app, 'watcher');
  const { status, body, headers } = await app.call('GET', '/api/operator/services/auth', { token });
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({ service: 'auth', version: 'test', failing: [] });
});
