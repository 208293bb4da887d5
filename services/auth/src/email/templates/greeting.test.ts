import { afterAll, expect, test } from 'vitest';
import { inputOf, makeAccount, signIn, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

test('mails greet by name only at an address that was confirmed', async () => {
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
  expect(received().filter((mail) => mail.text.includes('Ada Lovelace'))).toEqual([]);
  const token = await app.emailToken(account.email, 'verify-email');
  await app.call('POST', `/auth/verify-email/${token}`);
  await provoke(2);
  const subjects = received()
    .filter((mail) => mail.text.startsWith('Hello Ada Lovelace,\n'))
    .map((mail) => mail.subject);
  expect(subjects.toSorted()).toEqual([
    'New login to your account',
    'Reset your password',
    'You already have an account',
  ]);
});
