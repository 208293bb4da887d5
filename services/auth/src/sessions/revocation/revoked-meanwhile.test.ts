import type { Sql } from '@atrium/service-kit/database';
import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, expect, test } from 'vitest';
import { verifyAddress } from '../../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD, signIn, startTestApp, type TestAccount } from '../../test-app.ts';
import { revokeSessions } from '../store.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const endSessions = (tx: Sql, accountId: string): Promise<unknown> =>
  revokeSessions(tx, { accountId }, Date.now());
const changePassword = (tx: Sql, accountId: string): Promise<unknown> =>
  tx.query(`UPDATE accounts SET password_hash = 'another' WHERE id = $1`, [accountId]);

/** Asks while the account is locked, and ends its sessions before letting the request go on. */
async function askWhileEnding(
  account: TestAccount,
  ask: () => ReturnType<typeof app.call>,
  end = endSessions,
) {
  const { answer } = await app.db.transaction({ job: 'test' }, async (tx) => {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account.id]);
    const asked = ask();
    await untilBlocked(app.db);
    await end(tx, account.id);
    return { answer: asked };
  });
  const { status, body } = await answer;
  return [status, body['error']];
}

test.each([
  [
    'password',
    'POST',
    '/user/change-password',
    { currentPassword: PASSWORD, newPassword: 'an umbrella by the door' },
  ],
  ['address', 'POST', '/user/change-email', { password: PASSWORD, email: 'else@new.example.com' }],
  ['profile', 'PATCH', '/user/me', { bio: 'I was here' }],
  ['copy', 'POST', '/user/export', undefined],
] as const)(
  'security 17: a session that ends meanwhile does nothing to the %s',
  async (name, method, url, body) => {
    const made = await makeAccount(app, `ended-${name}`);
    await verifyAddress(app, made);
    const account = await signIn(app, made);
    const { accessToken: token } = account;
    const call = body === undefined ? { token } : { token, body };
    expect(await askWhileEnding(account, () => app.call(method, url, call))).toEqual([
      401,
      'Unauthorized',
    ]);
    // The password is what it was.
    await signIn(app, account);
  },
);

test('security 17: a session that ends meanwhile does not call a deletion off', async () => {
  const made = await makeAccount(app, 'leaving');
  const body = { password: PASSWORD };
  await app.call('DELETE', '/user/me', { token: made.accessToken, body });
  const account = await signIn(app, made);
  const { accessToken: token } = account;
  const restore = () => app.call('POST', '/user/me/restore', { token });
  expect(await askWhileEnding(account, restore)).toEqual([401, 'Unauthorized']);
});

test.each([
  ['verify-email', 'session', endSessions],
  ['verify-email', 'password', changePassword],
  ['confirm-email', 'session', endSessions],
  ['confirm-email', 'password', changePassword],
] as const)(
  'security 17: a %s link with a %s does nothing when that ends or changes meanwhile',
  async (purpose, proof, end) => {
    const account = await makeAccount(app, `${purpose}-${proof}`);
    const { accessToken: token } = account;
    const email = purpose === 'verify-email' ? account.email : `${proof}@new.example.com`;
    if (purpose === 'confirm-email') {
      const body = { password: PASSWORD, email };
      await app.call('POST', '/user/change-email', { token, body });
    }
    const url = `/auth/${purpose}/${await app.emailToken(email, purpose)}`;
    const [withSession, withPassword] = [{ token }, { body: { password: PASSWORD } }];
    const [call, other] =
      proof === 'session' ? [withSession, withPassword] : [withPassword, withSession];
    const address = async () => {
      const [row] = await app.db.query(
        `SELECT email, email_verified_at IS NOT NULL AS "isVerified" FROM accounts WHERE id = $1`,
        [account.id],
      );
      return row;
    };
    const ask = () => app.call('POST', url, call);
    expect(await askWhileEnding(account, ask, end)).toEqual([401, 'Unauthorized']);
    expect(await address()).toEqual({ email: account.email, isVerified: false });
    expect((await app.call('POST', url, other)).status).toBe(200);
    expect(await address()).toEqual({ email, isVerified: true });
  },
);

test('security 17: a login whose password changes meanwhile makes no session', async () => {
  const account = await makeAccount(app, 'late');
  const { email } = account;
  const { answer } = await app.db.transaction({ job: 'test' }, async (tx) => {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account.id]);
    const asked = app.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
    // The password has been found right by then.
    await untilBlocked(app.db);
    await changePassword(tx, account.id);
    return { answer: asked };
  });
  const { status, body, cookies } = await answer;
  expect([status, body['message'], cookies]).toEqual([401, 'Invalid email or password', {}]);
});
