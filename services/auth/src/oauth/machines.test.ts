import * as client from 'openid-client';
import { afterAll, expect, test } from 'vitest';
import { makeOperator } from '../operator/operator.fixture.ts';
import { PASSWORD, signIn } from '../test-app.ts';
import { makeApplication, makeVerified, relyingParty, startOauthApp } from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp({
  OPERATOR_EMAILS: 'operator@example.com',
});
afterAll(() => started[Symbol.asyncDispose]());

const scope = 'account:read';

async function makeMachine(username: string) {
  const owner = await makeVerified(app, username);
  const body = { kind: 'machine', name: 'Backup', redirectUrls: [] };
  const config = await relyingParty(origin, await makeApplication(app, owner.accessToken, body));
  const logIn = () => client.clientCredentialsGrant(config, { scope });
  const statusOf = async (token: string) => (await app.call('GET', '/user/me', { token })).status;
  return { owner, logIn, statusOf };
}

test('a machine works on after its owner was signed out, suspended or about to be erased', async () => {
  const { owner, logIn, statusOf } = await makeMachine('owner');
  const operator = await makeOperator(app, 'operator');
  const act = (verb: string) =>
    operator.call('POST', `/${owner.id}/${verb}`, { reason: 'A mistake' });

  const { access_token: before } = await logIn();
  expect((await act('sign-out')).status).toBe(200);
  expect(await statusOf(before)).toBe(401);
  expect(await statusOf((await logIn()).access_token)).toBe(200);

  await act('suspend');
  await expect(logIn()).rejects.toMatchObject({ status: 401 });
  await act('unsuspend');
  expect(await statusOf((await logIn()).access_token)).toBe(200);

  const { accessToken: token } = await signIn(app, owner);
  await app.call('DELETE', '/user/me', { token, body: { password: PASSWORD } });
  await expect(logIn()).rejects.toMatchObject({ status: 401 });
  const again = await signIn(app, owner);
  await app.call('POST', '/user/me/restore', { token: again.accessToken });
  expect(await statusOf((await logIn()).access_token)).toBe(200);
});

test('it loses its secret with a reset of the password, and the audit trail says so', async () => {
  const { owner, logIn } = await makeMachine('forgetful');
  await app.call('POST', '/auth/forgot-password', { body: { email: owner.email } });
  const reset = await app.emailToken(owner.email, 'reset-password');
  const password = 'a kettle on the stove';
  await app.call('POST', `/auth/reset-password/${reset}`, { body: { password } });
  await expect(logIn()).rejects.toMatchObject({ status: 401 });
  const body = { email: owner.email, password };
  const token = String((await app.call('POST', '/auth/login', { body })).body['accessToken']);
  const path = '/user/audit?kind=application.secret_removed';
  const { body: audit } = await app.call('GET', path, { token });
  expect(audit['data']).toMatchObject([{ data: { name: 'Backup' } }]);
});
