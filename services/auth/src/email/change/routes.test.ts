import { afterAll, expect, test } from 'vitest';
import { addTotp } from '../../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD, signIn, startTestApp, type TestAccount } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const INVALID_TOKEN = { error: 'Validation Error', message: 'Token is invalid or has expired' };
const ACCEPTED = { message: 'Check the new email address for a link to confirm it' };

const change = ({ accessToken }: TestAccount, email: string, proof: object = {}) =>
  app.call('POST', '/user/change-email', {
    token: accessToken,
    body: { password: PASSWORD, email, ...proof },
  });
const confirm = (token: string, body: object = { password: PASSWORD }) =>
  app.call('POST', `/auth/confirm-email/${token}`, { body });
const me = async ({ accessToken }: TestAccount) =>
  (await app.call('GET', '/user/me', { token: accessToken })).body;
const subjectsTo = (address: string) =>
  app.mailbox.messages.filter(({ to }) => to.includes(address)).map(({ subject }) => subject);
const emailTo = (address: string, subject: string) =>
  app.mailbox.waitFor((email) => email.to.includes(address) && email.subject === subject);

test('security 24: the email address changes once the new one is confirmed, and the old one is notified', async () => {
  const account = await makeAccount(app, 'mover');
  const email = 'mover@new.example.com';
  const answer = await change(account, email);
  expect([answer.status, answer.body]).toEqual([202, ACCEPTED]);
  const notice = await emailTo(account.email, 'Your email address is about to change');
  expect(notice.text).toContain(email);
  expect(notice.text).toContain('https://web.example/not-me/');
  const token = await app.emailToken(email, 'confirm-email');
  expect(await me(account)).toMatchObject({ email: account.email, emailVerified: false });

  const confirmed = await confirm(token);
  expect([confirmed.status, confirmed.body]).toEqual([200, { message: 'Email address changed' }]);
  expect(await me(account)).toMatchObject({ email, emailVerified: true });
  await emailTo(account.email, 'Your email address was changed');
  await expect(signIn(app, account)).rejects.toThrow('Invalid email or password');
  await signIn(app, { ...account, email });
});

test('security 24: a change needs the current password', async () => {
  const account = await makeAccount(app, 'guarded');
  const email = 'guarded@new.example.com';
  const wrong = await change(account, email, { password: 'a wrong password' });
  expect([wrong.status, wrong.body['message']]).toEqual([401, 'Password is wrong']);
  const missing = await app.call('POST', '/user/change-email', {
    token: account.accessToken,
    body: { email },
  });
  expect(missing.status).toBe(400);
  const anonymous = await app.call('POST', '/user/change-email', {
    body: { password: PASSWORD, email },
  });
  expect(anonymous.status).toBe(401);
  const tokens = await app.db.query(
    `SELECT 1 FROM email_tokens WHERE purpose = 'confirm-email' AND account_id = $1`,
    [account.id],
  );
  expect(tokens).toEqual([]);
});

test('security 24: the link works once, within a day', async () => {
  const account = await makeAccount(app, 'once');
  await change(account, 'once@new.example.com');
  const token = await app.emailToken('once@new.example.com', 'confirm-email');
  app.clock.advanceMs = 86_401_000;
  const late = await confirm(token);
  app.clock.advanceMs = 0;
  expect([late.status, late.body]).toEqual([422, INVALID_TOKEN]);
  const statuses = (await Promise.all(Array.from({ length: 5 }, () => confirm(token)))).map(
    (answer) => answer.status,
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422]);
});

test('security 24: a taken email address gets the same response, and only its owner is notified', async () => {
  const account = await makeAccount(app, 'curious');
  const owner = await makeAccount(app, 'settled');
  const answer = await change(account, owner.email.toUpperCase());
  expect([answer.status, answer.body]).toEqual([202, ACCEPTED]);
  await emailTo(owner.email, 'You already have an account');
  await emailTo(account.email, 'Your email address is about to change');
  expect(subjectsTo(owner.email)).not.toContain('Confirm your new email address');
  expect(await me(owner)).toMatchObject({ email: owner.email });
});

test('security 24: an email address belongs to the account that confirms it first', async () => {
  const [first, second] = [await makeAccount(app, 'first'), await makeAccount(app, 'second')];
  const email = 'wanted@new.example.com';
  await change(first, email);
  const firstToken = await app.emailToken(email, 'confirm-email');
  await change(second, email);
  const secondToken = await app.emailToken(email, 'confirm-email', 2);
  const answers = await Promise.all([confirm(firstToken), confirm(secondToken)]);
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('security 24: a new password cancels a pending change', async () => {
  const account = await makeAccount(app, 'pending');
  await change(account, 'pending@new.example.com');
  const token = await app.emailToken('pending@new.example.com', 'confirm-email');
  await app.call('POST', '/user/change-password', {
    token: account.accessToken,
    body: { currentPassword: PASSWORD, newPassword: 'an umbrella by the door' },
  });
  expect((await confirm(token)).body).toEqual(INVALID_TOKEN);
});

test('security 24: changes nothing for someone without a session or the password', async () => {
  const account = await makeAccount(app, 'mistyping');
  const other = await makeAccount(app, 'other');
  const email = 'someone-else@new.example.com';
  await change(account, email);
  const url = `/auth/confirm-email/${await app.emailToken(email, 'confirm-email')}`;
  const forbidden = [
    await app.call('POST', url),
    await app.call('POST', url, { token: other.accessToken }),
  ];
  for (const answer of forbidden) {
    expect([answer.status, answer.body]).toEqual([
      403,
      {
        error: 'Forbidden',
        message: 'Log in, or send the password of the account, to change its email address',
      },
    ]);
  }
  const wrong = await app.call('POST', url, { body: { password: 'a wrong password' } });
  expect([wrong.status, wrong.body['message']]).toEqual([401, 'Password is wrong']);
  expect(await me(account)).toMatchObject({ email: account.email });
  expect(subjectsTo(email)).toEqual(['Confirm your new email address']);
  expect((await app.call('POST', url, { token: account.accessToken })).status).toBe(200);
});

test('verification links to the previous email address stop working', async () => {
  const account = await makeAccount(app, 'halfway');
  const old = await app.emailToken(account.email, 'verify-email');
  await change(account, 'halfway@new.example.com');
  await confirm(await app.emailToken('halfway@new.example.com', 'confirm-email'));
  expect((await app.call('POST', `/auth/verify-email/${old}`)).status).toBe(422);
});

test('a later request replaces an earlier one, and the current email address is refused', async () => {
  const account = await makeAccount(app, 'undecided');
  await change(account, 'one@new.example.com');
  const one = await app.emailToken('one@new.example.com', 'confirm-email');
  await change(account, 'two@new.example.com');
  expect((await confirm(one)).status).toBe(422);
  const same = await change(account, account.email.toUpperCase());
  expect([same.status, same.body['message']]).toEqual([
    422,
    'Email is already that of the account',
  ]);
});

test('security 24: a change needs the second factor, if one is on', async () => {
  const account = await addTotp(app, await makeAccount(app, 'double'));
  const email = 'double@new.example.com';
  expect((await change(account, email)).status).toBe(401);
  expect((await change(account, email, { code: account.codes.wrong() })).status).toBe(401);
  expect(subjectsTo(email)).toEqual([]);
  expect((await change(account, email, { code: account.codes.next() })).status).toBe(202);
  await emailTo(email, 'Confirm your new email address');
});
