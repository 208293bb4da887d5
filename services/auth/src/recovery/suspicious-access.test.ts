import { afterAll, expect, test } from 'vitest';
import {
  addPasskey,
  addTotp,
  makeVerified,
  passFirstStep,
  takeSecondStep,
} from '../second-factor/second-factor.fixture.ts';
import { signIn, startTestApp, type TestAccount } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';
const OFF = { enabled: false, totp: false, passkeys: 0, recoveryCodesLeft: 0 };

const notMe = (token: string) => app.call('POST', `/auth/not-me/${token}`);
const factorsOf = async (token: string) =>
  (await app.call('GET', '/user/second-factor', { token })).body;

async function resetPassword({ email }: TestAccount): Promise<void> {
  const token = await app.emailToken(email, 'reset-password');
  const body = { password: NEW_PASSWORD };
  expect((await app.call('POST', `/auth/reset-password/${token}`, { body })).status).toBe(200);
}

test.each([
  ['passkey', addPasskey],
  ['app', addTotp],
])(
  'revoking access removes a %s that an intruder added, and the owner can log in again',
  async (name, addFactor) => {
    const account = await makeVerified(app, `added-${name}`);
    const thief = await signIn(app, account);
    const token = await app.emailToken(account.email, 'not-me');
    await addFactor(app, thief);
    expect((await notMe(token)).status).toBe(200);
    await resetPassword(account);
    const owner = await signIn(app, { ...account, password: NEW_PASSWORD });
    expect(await factorsOf(owner.accessToken)).toEqual(OFF);
    const events = await app.db.query(
      `SELECT 1 FROM audit_events WHERE account_id = $1 AND kind = 'factor.removed'`,
      [account.id],
    );
    expect(events).toHaveLength(1);
  },
);

test('removes a passkey added since the event, and keeps earlier factors', async () => {
  const account = await addTotp(app, await makeVerified(app, 'guarded'));
  await app.emailToken(account.email, 'not-me');
  const thief = await takeSecondStep(app, await passFirstStep(app, account), {
    code: account.codes.next(),
  });
  const accessToken = String(thief.body['accessToken']);
  const token = await app.emailToken(account.email, 'not-me', 2);
  const proof = { code: account.codes.next() };
  const { authenticator } = await addPasskey(app, { ...account, accessToken }, proof);
  expect((await notMe(token)).status).toBe(200);

  const options = await app.call('POST', '/auth/passkey/options');
  const credential = authenticator.get(options.body);
  expect((await app.call('POST', '/auth/passkey', { body: { credential } })).status).toBe(401);
  await resetPassword(account);
  const mfaToken = await passFirstStep(app, account, NEW_PASSWORD);
  const owner = await takeSecondStep(app, mfaToken, { code: account.codes.next() });
  expect(await factorsOf(String(owner.body['accessToken']))).toEqual({
    enabled: true,
    totp: true,
    passkeys: 0,
    recoveryCodesLeft: 10,
  });
});

test('voids recovery codes made since the event', async () => {
  const account = await addTotp(app, await makeVerified(app, 'recoded'));
  await app.emailToken(account.email, 'not-me');
  const { accessToken: token, codes } = account;
  const body = { password: 'a lantern in the fog', code: codes.next() };
  await app.call('POST', '/user/second-factor/recovery-codes', { token, body });
  expect((await notMe(await app.emailToken(account.email, 'not-me', 2))).status).toBe(200);
  const rows = await app.db.query('SELECT 1 FROM recovery_codes WHERE account_id = $1', [
    account.id,
  ]);
  expect(rows).toHaveLength(0);
});

test('changes nothing when the password cannot be made unusable, and the link works again', async () => {
  const account = await makeVerified(app, 'unbroken');
  const thief = await signIn(app, account);
  const token = await app.emailToken(account.email, 'not-me');
  const me = async () => (await app.call('GET', '/user/me', { token: thief.accessToken })).status;
  await app.db.query('ALTER TABLE accounts ADD CONSTRAINT fixed CHECK (false) NOT VALID');
  let failed: Awaited<ReturnType<typeof notMe>>;
  try {
    failed = await notMe(token);
  } finally {
    await app.db.query('ALTER TABLE accounts DROP CONSTRAINT fixed');
  }
  expect([failed.status, await me()]).toEqual([500, 200]);
  expect([(await notMe(token)).status, await me()]).toEqual([200, 401]);
  await expect(signIn(app, account)).rejects.toThrow('Invalid email or password');
});

test('security 28: forgets the device of the event, and keeps the owner’s', async () => {
  const account = await makeVerified(app, 'visited');
  const thief = await signIn(app, account);
  const alarms = async () => {
    const rows = await app.db.query(
      `SELECT 1 FROM outbox WHERE account_id = $1 AND event = 'auth.suspicious_login'`,
      [account.id],
    );
    return rows.length;
  };
  expect(await alarms()).toBe(1);
  expect((await notMe(await app.emailToken(account.email, 'not-me'))).status).toBe(200);
  await resetPassword(account);
  const owner = { ...account, password: NEW_PASSWORD };
  await signIn(app, owner, { cookies: { device: account.device } });
  expect(await alarms()).toBe(1);
  await signIn(app, owner, { cookies: { device: thief.device } });
  expect(await alarms()).toBe(2);
});
