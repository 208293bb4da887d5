import { afterAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const verify = (token: string, body: object = { password: PASSWORD }) =>
  app.call('POST', `/auth/verify-email/${token}`, { body });
const resend = (token: string) => app.call('POST', '/auth/verify-email', { token });

async function isVerified(token: string): Promise<unknown> {
  return (await app.call('GET', '/user/me', { token })).body['emailVerified'];
}

function claimsOf(accessToken: unknown): Record<string, unknown> {
  const payload = String(accessToken).split('.')[1] ?? '';
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

test('the emailed token verifies the address, also when it is used twice', async () => {
  const account = await makeAccount(app, 'verifier');
  expect(await isVerified(account.accessToken)).toBe(false);
  const token = await app.emailToken(account.email, 'verify-email');
  const answer = await verify(token);
  expect([answer.status, answer.body]).toEqual([200, { message: 'Email address verified' }]);
  expect((await verify(token)).status).toBe(200);
  expect(await isVerified(account.accessToken)).toBe(true);
});

test('access tokens show the verified address from the next refresh on', async () => {
  const account = await makeAccount(app, 'claimer');
  expect(claimsOf(account.accessToken)['ev']).toBe(false);
  await verify(await app.emailToken(account.email, 'verify-email'));
  const { refreshToken } = account;
  const { body } = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
  expect(claimsOf(body['accessToken'])['ev']).toBe(true);
});

test('a session of the account verifies the address without the password', async () => {
  const account = await makeAccount(app, 'signed-in');
  const url = `/auth/verify-email/${await app.emailToken(account.email, 'verify-email')}`;
  const { accessToken: token } = account;
  expect((await app.call('POST', url, { token })).status).toBe(200);
  expect(await isVerified(token)).toBe(true);
  // A second click changes nothing, so it needs no proof.
  expect((await app.call('POST', url)).status).toBe(200);
});

test('sessions of other accounts, ended sessions and wrong passwords verify nothing', async () => {
  const account = await makeAccount(app, 'proofless');
  const other = await makeAccount(app, 'another');
  const url = `/auth/verify-email/${await app.emailToken(account.email, 'verify-email')}`;
  const { refreshToken } = await signIn(app, account);
  const ended = await signIn(app, account, { cookies: { refreshToken } });
  await app.call('POST', '/auth/logout', { token: ended.accessToken });
  const answers = [
    await app.call('POST', url, { token: other.accessToken }),
    await app.call('POST', url, { token: ended.accessToken }),
    await app.call('POST', url, { body: { password: 'a wrong password' } }),
    await app.call('POST', url, { token: other.accessToken, body: { password: PASSWORD + '.' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 401, 401, 401]);
  expect(await isVerified(account.accessToken)).toBe(false);
});

test('a new email replaces the link of the old one', async () => {
  const account = await makeAccount(app, 'resender');
  const old = await app.emailToken(account.email, 'verify-email');
  expect((await resend(account.accessToken)).status).toBe(200);
  const fresh = await app.emailToken(account.email, 'verify-email', 2);
  expect((await verify(old)).status).toBe(422);
  expect((await verify(fresh)).status).toBe(200);
  const again = await resend(account.accessToken);
  expect([again.status, again.body]).toEqual([
    200,
    { message: 'Email address is verified already' },
  ]);
});

test('returns 422 for a token that is expired, unknown or for another purpose', async () => {
  const account = await makeAccount(app, 'refused');
  const token = await app.emailToken(account.email, 'verify-email');
  await app.call('POST', '/auth/forgot-password', { body: { email: account.email } });
  const resetToken = await app.emailToken(account.email, 'reset-password');
  app.clock.advanceMs = 86_401_000;
  const late = await verify(token);
  app.clock.advanceMs = 0;
  for (const answer of [late, await verify('x'.repeat(43)), await verify(resetToken)]) {
    expect([answer.status, answer.body]).toEqual([
      422,
      { error: 'Validation Error', message: 'Token is invalid or has expired' },
    ]);
  }
});

test('returns 401 when a new email is requested without an access token', async () => {
  expect((await app.call('POST', '/auth/verify-email')).status).toBe(401);
});
