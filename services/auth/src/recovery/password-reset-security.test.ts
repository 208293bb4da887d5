import { createHash } from 'node:crypto';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp, type TestAccount } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';

const forgot = (email: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/forgot-password', { body: { email }, headers });
const reset = (token: string) =>
  app.call('POST', `/auth/reset-password/${token}`, { body: { password: NEW_PASSWORD } });
const statusOfReset = async (token: string) => (await reset(token)).status;
const refresh = (refreshToken: string) =>
  app.call('POST', '/auth/refresh', { cookies: { refreshToken } });

async function resetToken({ email }: TestAccount): Promise<string> {
  await forgot(email);
  return app.emailToken(email, 'reset-password');
}

test('security 22: one of many parallel resets with one token succeeds, and none later', async () => {
  const token = await resetToken(await makeAccount(app, 'parallel'));
  const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOfReset(token)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 422)).toHaveLength(9);
  expect(await statusOfReset(token)).toBe(422);
});

test('security 22: a reset token expires after 30 minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const token = await resetToken(await makeAccount(app, 'expiring'));
  app.clock.advanceMs = 1_801_000;
  const late = await statusOfReset(token);
  app.clock.advanceMs = 1_799_000;
  const inTime = await statusOfReset(token);
  app.clock.advanceMs = 0;
  expect([late, inTime]).toEqual([422, 200]);
});

test('security 22: only the hash of a reset token is stored', async () => {
  const account = await makeAccount(app, 'hashed');
  const token = await resetToken(account);
  const rows = await app.db.query<{ hash: Buffer; line: string }>(
    `SELECT hash, l::text AS line FROM email_tokens l
     WHERE account_id = $1 AND purpose = 'reset-password'`,
    [account.id],
  );
  expect(rows.map((row) => row.hash)).toEqual([createHash('sha256').update(token).digest()]);
  const mails = await app.db.query<{ line: string }>(
    'SELECT m::text AS line FROM email_messages m',
  );
  expect([...rows, ...mails].filter((row) => row.line.includes(token))).toEqual([]);
});

test('security 22: a change of the address voids reset tokens sent to the old one', async () => {
  const account = await makeAccount(app, 'moved');
  const token = await resetToken(account);
  const email = 'moved@new.example.com';
  await app.call('POST', '/user/change-email', {
    token: account.accessToken,
    body: { password: PASSWORD, email },
  });
  const confirm = await app.emailToken(email, 'confirm-email');
  expect(
    (await app.call('POST', `/auth/confirm-email/${confirm}`, { body: { password: PASSWORD } }))
      .status,
  ).toBe(200);
  expect(await statusOfReset(token)).toBe(422);
});

test('security 22: no request header changes the link', async () => {
  const { email } = await makeAccount(app, 'steered');
  const evil = 'evil.example';
  await forgot(email, {
    host: evil,
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'http',
    forwarded: `host=${evil}`,
    origin: `https://${evil}`,
    referer: `https://${evil}/`,
  });
  await app.emailToken(email, 'reset-password');
  const mail = app.mailbox.messages.findLast((one) => one.subject === 'Reset your password');
  expect(mail?.to).toEqual([email]);
  expect(mail?.text).toContain('\nhttps://web.example/reset-password/');
  expect(`${mail?.text}${mail?.html}`).not.toContain(evil);
});

test('security 22: a reset starts no session and revokes all others', async () => {
  const account = await makeAccount(app, 'ended');
  const other = await signIn(app, account);
  const answer = await reset(await resetToken(account));
  expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }]);
  expect(answer.cookies).toEqual({});
  for (const session of [account, other]) {
    expect((await refresh(session.refreshToken)).status).toBe(401);
    const me = await app.call('GET', '/user/me', { token: session.accessToken });
    expect(me.status).toBe(401);
  }
});

test('security 23: changing the password needs the current one and mails the owner', async () => {
  const account = await makeAccount(app, 'changed');
  const change = (currentPassword: string) =>
    app.call('POST', '/user/change-password', {
      token: account.accessToken,
      body: { currentPassword, newPassword: NEW_PASSWORD },
    });
  const mails = () =>
    app.mailbox.messages.filter(
      ({ to, subject }) => to.includes(account.email) && subject === 'Your password was changed',
    );
  const wrong = await change('a wrong password');
  expect([wrong.status, wrong.body['message']]).toEqual([401, 'Current password is wrong']);
  await signIn(app, account);
  expect((await change(PASSWORD)).status).toBe(200);
  await app.emailToken(account.email, 'not-me');
  await app.mailbox.waitFor(() => mails().length > 0);
  expect(mails()).toHaveLength(1);
  expect(mails()[0]?.text).toContain('https://web.example/not-me/');
});
