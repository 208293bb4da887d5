import { afterAll, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../rate-limits.ts';
import { type Call, startTestApp, valueOf } from '../test-app.ts';
import {
  addPasskey,
  addTotp,
  makeVerified,
  passFirstStep,
  passkeyOptions,
  takeSecondStep,
  type TotpAccount,
} from '../second-factor/second-factor.fixture.ts';

// A busy machine needs long for so many hashes.
vi.setConfig({ testTimeout: 180_000 });

// Budgets come back with time: it stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const app = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });
afterAll(() => app[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';
let addresses = 0;
/** Another client each time. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1)}` });

/** Gives the password and the next code, without letting time pass. */
async function logIn(account: TotpAccount, call: Call = {}, password?: string) {
  const mfaToken = await passFirstStep(app, account, password);
  const code = account.codes.next();
  app.clock.advanceMs -= 30_000;
  return takeSecondStep(app, mfaToken, { code }, { headers: elsewhere(), ...call });
}

/** Sends wrong codes after the correct password until no more are checked. */
async function exhaust(account: TotpAccount, password?: string): Promise<void> {
  const code = account.codes.wrong();
  const tryWrongCode = async (mfaToken: string) =>
    (await takeSecondStep(app, mfaToken, { code }, { headers: elsewhere() })).status;
  const mfaToken = await passFirstStep(app, account, password);
  for (let n = 0; n < RATE_LIMITS.mfaByAccount.limit; n += 1) {
    expect(await tryWrongCode(mfaToken)).toBe(401);
  }
  expect(await tryWrongCode(await passFirstStep(app, account, password))).toBe(429);
}

async function resetPassword({ email }: TotpAccount): Promise<void> {
  const mails = app.mailbox.messages.filter(
    (mail) => mail.to.includes(email) && mail.text.includes('/reset-password/'),
  );
  const ask = { body: { email }, headers: elsewhere() };
  await app.call('POST', '/auth/forgot-password', ask);
  const token = await app.emailToken(email, 'reset-password', mails.length + 1);
  const call = { body: { password: NEW_PASSWORD }, headers: elsewhere() };
  expect((await app.call('POST', `/auth/reset-password/${token}`, call)).status).toBe(200);
}

test('right second steps do not count against their address', async () => {
  const account = await makeVerified(app, 'office');
  const { authenticator } = await addPasskey(app, account);
  const headers = elsewhere();
  const wrong = async () =>
    (await takeSecondStep(app, 'x'.repeat(43), { code: '123456' }, { headers })).status;
  for (let n = 1; n < RATE_LIMITS.mfaByIp.limit; n += 1) {
    expect(await wrong()).toBe(401);
  }
  for (let n = 0; n < 3; n += 1) {
    const mfaToken = await passFirstStep(app, account);
    const passkey = authenticator.get(await passkeyOptions(app, mfaToken));
    expect((await takeSecondStep(app, mfaToken, { passkey }, { headers })).status).toBe(200);
    const begin = await app.call('POST', '/auth/passkey/options', { headers });
    const credential = authenticator.get(begin.body);
    const passwordless = { headers, body: { credential } };
    expect((await app.call('POST', '/auth/passkey', passwordless)).status).toBe(200);
  }
  expect([await wrong(), await wrong()]).toEqual([401, 429]);
});

test('security 9: lets the owner take the second step from a known device during an attack', async () => {
  const account = await addTotp(app, await makeVerified(app, 'besieged'));
  app.clock.advanceMs += 1000;
  const owner = await logIn(account);
  const cookies = { device: valueOf(owner.cookies['device']) };
  // The next code is another one.
  app.clock.advanceMs += 30_000;
  await exhaust(account);
  const unknownDevice = await logIn(account);
  // This device logged in before there was a second factor, so it has never passed one.
  const old = await logIn(account, { cookies: { device: account.device } });
  expect([unknownDevice.status, old.status]).toEqual([429, 429]);
  const known = await logIn(account, { cookies });
  expect(known.status).toBe(200);
});

test('security 25: limits the second steps of a known device', async () => {
  const account = await addTotp(app, await makeVerified(app, 'careless'));
  app.clock.advanceMs += 1000;
  const owner = await logIn(account);
  const call = () => ({
    cookies: { device: valueOf(owner.cookies['device']) },
    headers: elsewhere(),
  });
  await exhaust(account);
  const code = account.codes.wrong();
  const statuses = [];
  for (let login = 0; login < 2; login += 1) {
    const mfaToken = await passFirstStep(app, account);
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await takeSecondStep(app, mfaToken, { code }, call())).status);
    }
  }
  const { limit } = RATE_LIMITS.mfaByKnownDevice;
  expect(statuses.filter((status) => status === 401)).toHaveLength(limit);
  expect(statuses.filter((status) => status === 429)).toHaveLength(8 - limit);
});

test('a new password clears the failed second steps, at most twice a day', async () => {
  const account = await addTotp(app, await makeVerified(app, 'rescued'));
  await exhaust(account);
  await resetPassword(account);
  app.clock.advanceMs += 1000;
  expect((await logIn(account, {}, NEW_PASSWORD)).status).toBe(200);
  // A mailbox is not a second factor: its thief gets no budget for each reset.
  for (let n = 1; n < RATE_LIMITS.clearedSecondSteps.limit; n += 1) {
    await exhaust(account, NEW_PASSWORD);
    await resetPassword(account);
  }
  await exhaust(account, NEW_PASSWORD);
  await resetPassword(account);
  expect((await logIn(account, {}, NEW_PASSWORD)).status).toBe(429);
});
