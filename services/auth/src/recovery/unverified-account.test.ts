import { afterAll, expect, test } from 'vitest';
import { addPasskey, addTotp } from '../second-factor/second-factor.fixture.ts';
import { inputOf, makeAccount, PASSWORD, signIn, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';

test.each([
  ['passkey', '/user/passkeys/options'],
  ['app', '/user/second-factor/totp'],
])('before the email address is verified no %s can be set up', async (name, url) => {
  const { accessToken: token } = await makeAccount(app, `early-${name}`);
  const body = { password: PASSWORD };
  const refused = await app.call('POST', url, { token, body });
  expect([refused.status, refused.body['error']]).toEqual([403, 'Email Not Verified']);
  // Opening the link is enough, without a new access token.
  const link = await app.emailToken(`early-${name}@example.com`, 'verify-email');
  await app.call('POST', `/auth/verify-email/${link}`, { token });
  expect((await app.call('POST', url, { token, body })).status).toBeLessThan(300);
});

test.each([
  ['passkey', addPasskey],
  ['app', addTotp],
])(
  'a password reset removes a %s that was added before the email address was verified',
  async (name, addFactor) => {
    const squatter = await makeAccount(app, `squatter-${name}`);
    const { email, id } = squatter;
    await addFactor(app, squatter);
    await app.db.query('UPDATE accounts SET email_verified_at = NULL WHERE id = $1', [id]);

    await app.call('POST', '/auth/forgot-password', { body: { email } });
    const token = await app.emailToken(email, 'reset-password');
    const body = { password: NEW_PASSWORD };
    expect((await app.call('POST', `/auth/reset-password/${token}`, { body })).status).toBe(200);

    const owner = await signIn(app, { ...squatter, password: NEW_PASSWORD });
    const me = await app.call('GET', '/user/me', { token: owner.accessToken });
    expect(me.body['emailVerified']).toBe(true);
    const factors = await app.call('GET', '/user/second-factor', { token: owner.accessToken });
    expect(factors.body).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
    const devices = await app.db.query<{ fingerprint: Buffer }>(
      'SELECT fingerprint FROM account_devices WHERE account_id = $1',
      [id],
    );
    expect(devices).toHaveLength(1);
    const kinds = await app.db.query<{ kind: string }>(
      'SELECT kind FROM audit_events WHERE account_id = $1',
      [id],
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['password.reset', 'email.verified', 'factor.removed']),
    );
  },
);

test('the owner of a mailbox who opens the verification link of another person gets the account alone', async () => {
  const squatter = await makeAccount(app, 'impostor');
  const { email } = squatter;
  const link = await app.emailToken(email, 'verify-email');
  const opened = await app.call('POST', `/auth/verify-email/${link}`);
  expect([opened.status, opened.body]).toEqual([
    403,
    {
      error: 'Forbidden',
      message:
        'Log in, or send the password of the account, to verify the email address; ' +
        'a link to set a new password is on its way to it',
    },
  ]);
  const me = await app.call('GET', '/user/me', { token: squatter.accessToken });
  expect(me.body['emailVerified']).toBe(false);

  const reset = await app.emailToken(email, 'reset-password');
  const body = { password: NEW_PASSWORD };
  expect((await app.call('POST', `/auth/reset-password/${reset}`, { body })).status).toBe(200);
  const late = await app.call('GET', '/user/me', { token: squatter.accessToken });
  expect(late.status).toBe(401);
  await expect(signIn(app, squatter)).rejects.toThrow('Invalid email or password');
  const owner = await signIn(app, { ...squatter, password: NEW_PASSWORD });
  const mine = await app.call('GET', '/user/me', { token: owner.accessToken });
  expect(mine.body['emailVerified']).toBe(true);
});

test('the verification email lets the owner of the mailbox end the access of another person', async () => {
  const input = inputOf('unasked');
  await app.call('POST', '/auth/register', { body: input });
  const email = await app.mailbox.waitFor(({ to }) => to.includes(input.email));
  const token = /\/not-me\/([\w-]+)/.exec(email.text)?.[1] ?? '';
  expect((await app.call('POST', `/auth/not-me/${token}`)).status).toBe(200);
  await expect(signIn(app, input)).rejects.toThrow('Invalid email or password');
  const link = await app.emailToken(input.email, 'verify-email');
  const body = { password: PASSWORD };
  expect((await app.call('POST', `/auth/verify-email/${link}`, { body })).status).toBe(401);
});
