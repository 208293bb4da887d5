import { afterAll, expect, test } from 'vitest';
import { inputOf, makeAccount, signIn, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

test('emails address the owner by name only once the address is verified', async () => {
  const account = await makeAccount(app, 'greeted');
  const provoke = async (round: number) => {
    await signIn(app, account);
    await app.call('POST', '/auth/forgot-password', { body: { email: account.email } });
    await app.call('POST', '/auth/register', {
      body: { ...inputOf(`greeted${round}`), email: account.email },
    });
    await app.mailbox.waitFor(() => received().length >= round * 3);
  };
  const received = () =>
    app.mailbox.messages.filter(({ subject }) => subject !== 'Verify your email address');

  await provoke(1);
  expect(received().filter((email) => email.text.includes('Ada Lovelace'))).toEqual([]);
  const token = await app.emailToken(account.email, 'verify-email');
  await app.call('POST', `/auth/verify-email/${token}`, { token: account.accessToken });
  await provoke(2);
  const subjects = received()
    .filter((email) => email.text.startsWith('Hello Ada Lovelace,\n'))
    .map((email) => email.subject);
  expect(subjects.toSorted()).toEqual([
    'New login to your account',
    'Reset your password',
    'You already have an account',
  ]);
});
