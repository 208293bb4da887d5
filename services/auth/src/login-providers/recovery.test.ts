import { afterAll, expect, test } from 'vitest';
import { makeVerified, openBrowser } from '../oauth/oauth.fixture.ts';
import { makeAccount, signIn } from '../test-app.ts';
import { person, startProvidersApp } from './login-providers.fixture.ts';

const { app, origin, elsewhere, ...started } = await startProvidersApp();
const { goThrough, complete, identitiesOf, link } = started;
afterAll(() => started[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';

async function resetPassword(email: string): Promise<void> {
  const token = await app.emailToken(email, 'reset-password');
  const body = { password: NEW_PASSWORD };
  expect((await app.call('POST', `/auth/reset-password/${token}`, { body })).status).toBe(200);
}

/** The answer to a login at the provider with the identity that the test linked last. */
async function comeBack() {
  const browser = openBrowser(origin);
  await goThrough(browser);
  return (await complete(browser)).body;
}

async function unlinkedProviders(token: string) {
  const { body } = await app.call('GET', '/user/audit?kind=identity.unlinked', { token });
  return (body['data'] as { data: unknown }[]).map(({ data }) => data);
}

test('before the email address is verified no provider can be linked', async () => {
  await makeAccount(app, 'unproved');
  elsewhere.person = person('unproved');
  const browser = openBrowser(origin);
  const answer = await link(browser, await browser.logIn('unproved'));
  expect([answer.status, answer.body['error']]).toEqual([403, 'Email Not Verified']);
});

test('a password reset that first verifies the email address removes a provider linked before', async () => {
  const squatter = await makeVerified(app, 'squatter');
  elsewhere.person = person('squatter');
  const browser = openBrowser(origin);
  expect((await link(browser, await browser.logIn('squatter'))).status).toBe(200);
  const { id, email } = squatter;
  await app.db.query('UPDATE accounts SET email_verified_at = NULL WHERE id = $1', [id]);

  await app.call('POST', '/auth/forgot-password', { body: { email } });
  await resetPassword(email);
  expect(await comeBack()).toHaveProperty('signUp');
  const { accessToken } = await signIn(app, { ...squatter, password: NEW_PASSWORD });
  expect((await identitiesOf(accessToken)).data).toEqual([]);
  expect(await unlinkedProviders(accessToken)).toEqual([{ provider: 'Acme' }]);
});

test('revoking access removes a provider that an intruder linked, and keeps the one of the owner', async () => {
  const account = await makeVerified(app, 'robbed');
  const { email } = account;
  elsewhere.person = person('robbed');
  const own = openBrowser(origin);
  expect((await link(own, await own.logIn('robbed'))).status).toBe(200);
  await app.emailToken(email, 'not-me', 2);

  elsewhere.person = person('robber');
  const thief = openBrowser(origin);
  const stolen = await thief.logIn('robbed');
  // The notice of the login from an unknown device.
  const token = await app.emailToken(email, 'not-me', 3);
  expect((await link(thief, stolen)).status).toBe(200);
  expect((await app.call('POST', `/auth/not-me/${token}`)).status).toBe(200);
  await resetPassword(email);
  expect(await comeBack()).toHaveProperty('signUp');
  const { accessToken } = await signIn(app, { ...account, password: NEW_PASSWORD });
  expect((await identitiesOf(accessToken)).data).toMatchObject([{ label: 'robbed@acme.example' }]);
  expect(await unlinkedProviders(accessToken)).toEqual([{ provider: 'Acme' }]);
});
