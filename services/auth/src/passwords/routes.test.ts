import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, describe, expect, test } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';
const BROKEN_LINK = { error: 'Validation Error', message: 'Token is invalid or has expired' };

const forgot = (email: string) => app.call('POST', '/auth/forgot-password', { body: { email } });
const reset = (token: string, password = NEW_PASSWORD) =>
  app.call('POST', `/auth/reset-password/${token}`, { body: { password } });
const refresh = (refreshToken: string) =>
  app.call('POST', '/auth/refresh', { cookies: { refreshToken } });

describe('forgot and reset', () => {
  test('forgot answers every address alike and mails only accounts', async () => {
    const { email } = await makeAccount(app, 'forgetful');
    const known = await forgot(email);
    const unknown = await forgot('nobody@example.com');
    expect(known.status).toBe(202);
    expect([unknown.status, unknown.body]).toEqual([202, known.body]);
    await app.emailToken(email, 'reset-password');
    expect(app.mailbox.messages.filter((mail) => mail.to.includes('nobody@example.com'))).toEqual(
      [],
    );
    expect(await app.db.query(`SELECT 1 FROM email_messages WHERE kind = 'decoy'`)).toEqual([]);
  });

  test('a reset token sets the password once and revokes all sessions', async () => {
    const account = await makeAccount(app, 'resetter');
    await forgot(account.email);
    const token = await app.emailToken(account.email, 'reset-password');
    const answer = await reset(token);
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }]);
    const again = await reset(token);
    expect([again.status, again.body]).toEqual([422, BROKEN_LINK]);
    expect((await refresh(account.refreshToken)).status).toBe(401);
    await expect(signIn(app, account)).rejects.toThrow('Invalid email or password');
    await signIn(app, { ...account, password: NEW_PASSWORD });
    await app.mailbox.waitFor(
      (mail) => mail.to.includes(account.email) && mail.subject === 'Your password was changed',
    );
  });

  test('one of several parallel resets with one token succeeds', async () => {
    const account = await makeAccount(app, 'racer');
    await forgot(account.email);
    const token = await app.emailToken(account.email, 'reset-password');
    const answers = await Promise.all([reset(token), reset(token), reset(token)]);
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 422, 422]);
  });

  test('a reset that waited for another password change returns 422', async () => {
    const account = await makeAccount(app, 'impatient');
    await forgot(account.email);
    const token = await app.emailToken(account.email, 'reset-password');
    const pending = await app.db.transaction({ job: 'test' }, async (tx) => {
      await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account.id]);
      const answer = reset(token);
      await untilBlocked(app.db);
      await tx.query('DELETE FROM email_tokens WHERE account_id = $1', [account.id]);
      // In an object: a transaction that returned the promise itself would wait for it.
      return { answer };
    });
    const answer = await pending.answer;
    expect([answer.status, answer.body]).toEqual([422, BROKEN_LINK]);
    await signIn(app, account);
  });

  test('returns 422 for a token after 30 minutes, and for one that was never issued', async () => {
    const account = await makeAccount(app, 'latecomer');
    await forgot(account.email);
    const token = await app.emailToken(account.email, 'reset-password');
    app.clock.advanceMs = 1_801_000;
    const late = await reset(token);
    app.clock.advanceMs = 0;
    expect([late.status, late.body]).toEqual([422, BROKEN_LINK]);
    expect((await reset('x'.repeat(43))).body).toEqual(BROKEN_LINK);
  });

  test('a refused password leaves the token valid', async () => {
    const account = await makeAccount(app, 'secondtry');
    await forgot(account.email);
    const token = await app.emailToken(account.email, 'reset-password');
    expect((await reset(token, 'secondtry-1')).status).toBe(422);
    expect((await reset(token)).status).toBe(200);
  });

  test('validates the bodies', async () => {
    expect((await app.call('POST', '/auth/forgot-password', { body: {} })).status).toBe(400);
    expect((await forgot('nobody')).status).toBe(422);
    expect((await app.call('POST', '/auth/reset-password/x', { body: {} })).status).toBe(400);
  });
});

describe('change', () => {
  const change = (token: string | undefined, body: object) =>
    app.call('POST', '/user/change-password', { ...(token === undefined ? {} : { token }), body });
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

  test('revokes the other sessions and keeps this one', async () => {
    const account = await makeAccount(app, 'changer');
    const other = await signIn(app, account);
    const answer = await change(account.accessToken, body);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Password changed' }]);
    expect((await refresh(other.refreshToken)).status).toBe(401);
    expect((await refresh(account.refreshToken)).status).toBe(200);
    await signIn(app, { ...account, password: NEW_PASSWORD });
  });

  test('needs a token, an active session and the current password', async () => {
    const account = await makeAccount(app, 'guarded');
    expect((await change(undefined, body)).status).toBe(401);
    const wrong = await change(account.accessToken, { ...body, currentPassword: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { error: 'Unauthorized', message: 'Current password is wrong' },
    ]);
    await app.call('POST', '/auth/logout', { cookies: { refreshToken: account.refreshToken } });
    const ended = await change(account.accessToken, body);
    expect([ended.status, ended.body['message']]).toEqual([401, 'Invalid token']);
  });

  test.each([
    ['short', 'New password must be at least 8 characters long'],
    ['iloveyou', 'New password is one of the most common passwords'],
    ['my ruled password', 'New password must not contain the username or the email name'],
  ])('refuses %j as the new password', async (newPassword, message) => {
    const account = await makeAccount(app, 'ruled').catch(() =>
      signIn(app, { username: 'ruled', email: 'ruled@example.com' }),
    );
    const answer = await change(account.accessToken, { ...body, newPassword });
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation Error', message }]);
  });
});
