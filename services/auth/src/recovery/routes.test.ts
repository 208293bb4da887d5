import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, expect, test } from 'vitest';
import {
  inputOf,
  makeAccount,
  PASSWORD,
  signIn,
  startTestApp,
  type TestAccount,
} from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';

const notMe = (token: string) => app.call('POST', `/auth/not-me/${token}`);
const refresh = async ({ refreshToken }: TestAccount) =>
  (await app.call('POST', '/auth/refresh', { cookies: { refreshToken } })).status;
const emailOf = async ({ id }: TestAccount) =>
  (await app.db.query<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]))[0]
    ?.email;
const hasMail = (email: string, subject: string) =>
  app.mailbox.messages.some((mail) => mail.to.includes(email) && mail.subject === subject);

async function verify(account: TestAccount): Promise<void> {
  const token = await app.emailToken(account.email, 'verify-email');
  await app.call('POST', `/auth/verify-email/${token}`, { body: { password: PASSWORD } });
}

async function changeEmail(account: TestAccount, email: string): Promise<void> {
  await app.call('POST', '/user/change-email', {
    token: account.accessToken,
    body: { password: PASSWORD, email },
  });
  const token = await app.emailToken(email, 'confirm-email');
  expect(
    (await app.call('POST', `/auth/confirm-email/${token}`, { body: { password: PASSWORD } }))
      .status,
  ).toBe(200);
}

async function resetPassword({ email }: TestAccount): Promise<void> {
  const token = await app.emailToken(email, 'reset-password');
  const body = { password: NEW_PASSWORD };
  expect((await app.call('POST', `/auth/reset-password/${token}`, { body })).status).toBe(200);
}

/** The token of the notice that went to `email` when the address had been changed. */
async function revertToken(email: string): Promise<string> {
  const mail = await app.mailbox.waitFor(
    (one) => one.to.includes(email) && one.subject === 'Your email address was changed',
  );
  return /\/not-me\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
}

test('the link in a notice revokes all sessions, once, and mails a reset link', async () => {
  const account = await makeAccount(app, 'robbed');
  const thief = await signIn(app, account);
  const token = await app.emailToken(account.email, 'not-me');
  const answers = await Promise.all([notMe(token), notMe(token), notMe(token)]);
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, 422, 422]);
  expect([await refresh(account), await refresh(thief)]).toEqual([401, 401]);
  const me = await app.call('GET', '/user/me', { token: thief.accessToken });
  expect(me.status).toBe(401);
  await resetPassword(account);
});

test('the old password works nowhere after access is revoked, and the mailed link sets a new one', async () => {
  const account = await makeAccount(app, 'known');
  await signIn(app, account);
  const login = async (password: string) => {
    const body = { email: account.email, password };
    return (await app.call('POST', '/auth/login', { body })).status;
  };
  expect((await notMe(await app.emailToken(account.email, 'not-me'))).status).toBe(200);
  expect(await login(PASSWORD)).toBe(401);
  await resetPassword(account);
  expect([await login(PASSWORD), await login(NEW_PASSWORD)]).toEqual([401, 200]);
});

test('a login at a known device that overtakes the revocation cannot use the old password', async () => {
  const account = await makeAccount(app, 'overtaken');
  await signIn(app, account);
  const token = await app.emailToken(account.email, 'not-me');
  const body = { email: account.email, password: PASSWORD };
  const cookies = { device: account.device };
  const [, ...logins] = await Promise.all([
    notMe(token),
    ...Array.from({ length: 4 }, () => app.call('POST', '/auth/login', { body, cookies })),
  ]);
  for (const { body: answer } of logins.filter(({ status }) => status === 200)) {
    const me = await app.call('GET', '/user/me', { token: String(answer['accessToken']) });
    expect(me.status).toBe(401);
  }
});

test('a reset link mailed to the owner before access is revoked stays valid', async () => {
  const account = await makeAccount(app, 'prepared');
  await signIn(app, account);
  await app.call('POST', '/auth/forgot-password', { body: { email: account.email } });
  const reset = await app.emailToken(account.email, 'reset-password');
  expect((await notMe(await app.emailToken(account.email, 'not-me'))).status).toBe(200);
  const body = { password: NEW_PASSWORD };
  expect((await app.call('POST', `/auth/reset-password/${reset}`, { body })).status).toBe(200);
});

test('a reset link mailed to the intruder is void once the address is restored', async () => {
  const account = await makeAccount(app, 'plundered');
  await verify(account);
  const thief = 'thief-8@evil.example';
  await changeEmail(account, thief);
  await app.call('POST', '/auth/forgot-password', { body: { email: thief } });
  const reset = await app.emailToken(thief, 'reset-password');
  expect((await notMe(await revertToken(account.email))).status).toBe(200);
  const body = { password: NEW_PASSWORD };
  expect((await app.call('POST', `/auth/reset-password/${reset}`, { body })).status).toBe(422);
  const stored = await app.db.query(
    `SELECT 1 FROM email_tokens
     WHERE account_id = $1 AND purpose = 'reset-password' AND email <> $2`,
    [account.id, account.email],
  );
  expect(stored).toHaveLength(0);
});

test('cancels a pending change of the address', async () => {
  const account = await makeAccount(app, 'intime');
  const email = 'intime@new.example.com';
  await app.call('POST', '/user/change-email', {
    token: account.accessToken,
    body: { password: PASSWORD, email },
  });
  const confirm = await app.emailToken(email, 'confirm-email');
  expect((await notMe(await app.emailToken(account.email, 'not-me'))).status).toBe(200);
  expect((await app.call('POST', `/auth/confirm-email/${confirm}`)).status).toBe(422);
});

test('refuses a link after seven days, and one that was never issued', async () => {
  const account = await makeAccount(app, 'latecomer');
  await signIn(app, account);
  const token = await app.emailToken(account.email, 'not-me');
  app.clock.advanceMs = 7 * 86_400_000 + 1000;
  const late = await notMe(token);
  app.clock.advanceMs = 0;
  expect([late.status, late.body['message']]).toEqual([422, 'Token is invalid or has expired']);
  expect((await notMe('x'.repeat(43))).status).toBe(422);
});

test('the notice of a changed address restores the former one', async () => {
  const account = await makeAccount(app, 'victim');
  await verify(account);
  await changeEmail(account, 'thief-1@evil.example');
  const token = await revertToken(account.email);
  expect((await notMe(token)).status).toBe(200);
  expect(await emailOf(account)).toBe(account.email);
  await resetPassword(account);
  expect(hasMail('thief-1@evil.example', 'Reset your password')).toBe(false);
  await signIn(app, { ...account, password: NEW_PASSWORD });
});

test('so does the notice of a login before it, opened when the address has changed', async () => {
  const account = await makeAccount(app, 'slowly');
  await verify(account);
  await signIn(app, account);
  const token = await app.emailToken(account.email, 'not-me');
  await changeEmail(account, 'slow-thief@evil.example');
  expect((await notMe(token)).status).toBe(200);
  expect(await emailOf(account)).toBe(account.email);
  await resetPassword(account);
});

test('links that went to the address of an intruder end when the former one is restored', async () => {
  const account = await makeAccount(app, 'evicted');
  await verify(account);
  const email = 'evicted-thief@evil.example';
  await changeEmail(account, email);
  await signIn(app, { ...account, email });
  const thiefs = await app.emailToken(email, 'not-me');
  expect((await notMe(await revertToken(account.email))).status).toBe(200);
  expect((await notMe(thiefs)).status).toBe(422);
});

test('after two changes the first address wins, in either order of the links', async () => {
  const account = await makeAccount(app, 'twice');
  await verify(account);
  await changeEmail(account, 'thief-2@evil.example');
  await changeEmail(account, 'thief-3@evil.example');
  const [owners, thiefs] = [
    await revertToken(account.email),
    await revertToken('thief-2@evil.example'),
  ];
  expect((await notMe(thiefs)).status).toBe(200);
  expect(await emailOf(account)).toBe('thief-2@evil.example');
  expect((await notMe(owners)).status).toBe(200);
  expect(await emailOf(account)).toBe(account.email);
});

test('restoring an earlier address voids the links of later changes', async () => {
  const account = await makeAccount(app, 'again');
  await verify(account);
  await changeEmail(account, 'thief-4@evil.example');
  await changeEmail(account, 'thief-5@evil.example');
  const thiefs = await revertToken('thief-4@evil.example');
  expect((await notMe(await revertToken(account.email))).status).toBe(200);
  expect((await notMe(thiefs)).status).toBe(422);
  expect(await emailOf(account)).toBe(account.email);
});

test('an address that can still be restored counts as taken', async () => {
  const account = await makeAccount(app, 'blocked');
  await verify(account);
  await changeEmail(account, 'thief-6@evil.example');
  const body = { ...inputOf('squatter'), email: account.email.toUpperCase() };
  expect((await app.call('POST', '/auth/register', { body })).status).toBe(201);
  await expect(signIn(app, { username: 'squatter', email: account.email })).rejects.toThrow(
    'Invalid email or password',
  );
  expect((await notMe(await revertToken(account.email))).status).toBe(200);
  expect(await emailOf(account)).toBe(account.email);
});

test('does not restore an address that was never verified', async () => {
  const account = await makeAccount(app, 'mistyped');
  await changeEmail(account, 'right@new.example.com');
  expect((await notMe(await revertToken(account.email))).status).toBe(200);
  expect(await emailOf(account)).toBe('right@new.example.com');
  expect(hasMail(account.email, 'Reset your password')).toBe(false);
});

test('revokes the sessions even when another account takes the former address meanwhile', async () => {
  const account = await makeAccount(app, 'raced');
  const racer = await makeAccount(app, 'racer');
  await verify(account);
  await changeEmail(account, 'thief-7@evil.example');
  const token = await revertToken(account.email);
  const { answer } = await app.db.transaction({ job: 'test' }, async (tx) => {
    await tx.query('UPDATE accounts SET email = $2 WHERE id = $1', [racer.id, account.email]);
    const asked = notMe(token);
    await untilBlocked(app.db);
    return { answer: asked };
  });
  expect((await answer).status).toBe(200);
  expect([await emailOf(account), await refresh(account)]).toEqual(['thief-7@evil.example', 401]);
});
