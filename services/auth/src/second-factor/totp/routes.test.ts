import { changedMeanwhile } from '@atrium/testkit/changed-meanwhile';
import { afterAll, describe, expect, test } from 'vitest';
import {
  addTotp,
  makeVerified,
  passFirstStep,
  startCodes,
  takeSecondStep,
} from '../second-factor.fixture.ts';
import { findFactors } from '../store.ts';
import { makeAccount, PASSWORD, signIn, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const WRONG = { error: 'Unauthorized', message: 'Code is wrong or has been used' };

const setUp = (token: string, body: object = { password: PASSWORD }) =>
  app.call('POST', '/user/second-factor/totp', { token, body });
const confirm = (token: string, code: string) =>
  app.call('POST', '/user/second-factor/totp/confirm', { token, body: { code } });
const remove = (token: string, body: object) =>
  app.call('POST', '/user/second-factor/totp/remove', { token, body });
const status = async (token: string) =>
  (await app.call('GET', '/user/second-factor', { token })).body;
const sessionsOf = async (accountId: string) =>
  (await app.db.query('SELECT 1 FROM sessions WHERE account_id = $1', [accountId])).length;

describe('login', () => {
  test('security 25: before the second step there is no cookie, no token and no session', async () => {
    const account = await addTotp(app, await makeAccount(app, 'stepper'));
    const before = await sessionsOf(account.id);
    const { email } = account;
    const answer = await app.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
    expect([answer.status, answer.body, answer.cookies]).toEqual([
      200,
      { mfaRequired: true, mfaToken: expect.stringMatching(/^[\w-]{43}$/) },
      {},
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const mfaToken = String(answer.body['mfaToken']);
    expect(await sessionsOf(account.id)).toBe(before);
    expect((await app.call('GET', '/user/me', { token: mfaToken })).status).toBe(401);
    const cookies = { refreshToken: mfaToken };
    expect((await app.call('POST', '/auth/refresh', { cookies })).status).toBe(401);

    const done = await takeSecondStep(app, mfaToken, { code: account.codes.next() });
    expect([done.status, Object.keys(done.body), Object.keys(done.cookies).toSorted()]).toEqual([
      200,
      ['accessToken', 'user'],
      ['device', 'refreshToken'],
    ]);
    const me = await app.call('GET', '/user/me', { token: String(done.body['accessToken']) });
    expect([me.status, me.body['id']]).toEqual([200, account.id]);
  });

  test('security 25: a code works once, also with the token of another login', async () => {
    const account = await addTotp(app, await makeAccount(app, 'replayer'));
    const [first, second] = [await passFirstStep(app, account), await passFirstStep(app, account)];
    const code = account.codes.next();
    expect((await takeSecondStep(app, first, { code })).status).toBe(200);
    const again = await takeSecondStep(app, second, { code });
    expect([again.status, again.body, again.cookies]).toEqual([401, WRONG, {}]);
    const next = account.codes.next();
    expect((await takeSecondStep(app, second, { code: next })).status).toBe(200);
  });

  test('security 25: one of ten parallel logins with one code succeeds', async () => {
    const account = await addTotp(app, await makeAccount(app, 'parallels'));
    const before = await sessionsOf(account.id);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => passFirstStep(app, account)));
    const code = account.codes.next();
    const answers = await Promise.all(tokens.map((token) => takeSecondStep(app, token, { code })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await sessionsOf(account.id)).toBe(before + 1);
  });

  test('security 25: the code that confirmed the app does not log in as well', async () => {
    const account = await makeVerified(app, 'confirmed');
    const setup = await setUp(account.accessToken);
    const codes = startCodes(app, String(setup.body['secret']));
    const code = codes.next();
    expect((await confirm(account.accessToken, code)).status).toBe(200);
    const answer = await takeSecondStep(app, await passFirstStep(app, account), { code });
    expect([answer.status, answer.body]).toEqual([401, WRONG]);
  });

  test('security 25: forty parallel wrong codes use up five attempts, and a right one is too late', async () => {
    const account = await addTotp(app, await makeAccount(app, 'guessed'));
    const mfaToken = await passFirstStep(app, account);
    const code = account.codes.wrong();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => takeSecondStep(app, mfaToken, { code })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([401]));
    const looked = answers.filter((answer) => answer.body['message'] === WRONG.message);
    expect(looked).toHaveLength(5);
    const late = await takeSecondStep(app, mfaToken, { code: account.codes.next() });
    expect([late.status, late.body['message'], late.cookies]).toEqual([
      401,
      'Login has expired, please log in again',
      {},
    ]);
  });

  test('needs no second step without a factor', async () => {
    const account = await makeAccount(app, 'plain');
    expect(await status(account.accessToken)).toEqual({
      enabled: false,
      totp: false,
      passkeys: 0,
      recoveryCodesLeft: 0,
    });
    await signIn(app, account);
  });
});

describe('setting up', () => {
  test('returns a secret that is no factor until a code confirms it', async () => {
    const account = await makeVerified(app, 'beginner');
    const setup = await setUp(account.accessToken);
    expect([setup.status, setup.body]).toEqual([
      201,
      {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringContaining('otpauth://totp/Atrium:beginner%40example.com?secret='),
        qrCode: expect.stringMatching(/^data:image\/svg\+xml;base64,PHN2Zy/),
      },
    ]);
    expect(setup.headers['cache-control']).toBe('no-store');
    await signIn(app, account);
    const codes = startCodes(app, String(setup.body['secret']));
    const wrong = await confirm(account.accessToken, codes.wrong());
    expect([wrong.status, wrong.body]).toEqual([401, WRONG]);
    const right = await confirm(account.accessToken, codes.next());
    expect([right.status, right.body['recoveryCodes']]).toEqual([200, expect.any(Array)]);
    await passFirstStep(app, account);
  });

  test('needs the password, and cannot be done twice', async () => {
    const account = await makeAccount(app, 'careful');
    const wrong = await setUp(account.accessToken, { password: 'not the password' });
    expect([wrong.status, wrong.body['message']]).toEqual([401, 'Password is wrong']);
    expect((await setUp(account.accessToken, {})).status).toBe(400);
    const { accessToken, codes } = await addTotp(app, account);
    const unproved = await setUp(accessToken);
    expect([unproved.status, unproved.body['message']]).toEqual([
      401,
      'A second factor is required: give code, recoveryCode or passkey',
    ]);
    const again = await setUp(accessToken, { password: PASSWORD, code: codes.next() });
    expect([again.status, again.body['error']]).toEqual([409, 'Conflict']);
  });

  test('must be finished within 15 minutes', async () => {
    const account = await makeVerified(app, 'dawdler');
    const setup = await setUp(account.accessToken);
    app.clock.advanceMs += 15 * 60_000;
    const codes = startCodes(app, String(setup.body['secret']));
    const { accessToken } = await signIn(app, account);
    expect((await confirm(accessToken, codes.next())).status).toBe(404);
  });

  test('the secret is nowhere in the database as it is', async () => {
    const account = await makeVerified(app, 'sealed');
    const { secret } = (await setUp(account.accessToken)).body as { secret: string };
    const [row] = await app.db.query<{ secret: string }>(
      'SELECT secret FROM totp_factors WHERE account_id = $1',
      [account.id],
    );
    expect(row?.secret).toMatch(/^k1\.[\w-]+$/);
    expect(row?.secret).not.toContain(secret);
  });
});

describe('removing', () => {
  test('needs the password and the second factor, and notifies the owner', async () => {
    const account = await addTotp(app, await makeAccount(app, 'remover'));
    const { accessToken, codes } = account;
    expect((await remove(accessToken, { password: PASSWORD })).status).toBe(401);
    const code = codes.wrong();
    const wrong = await remove(accessToken, { password: PASSWORD, code });
    expect([wrong.status, wrong.body]).toEqual([401, WRONG]);
    expect((await remove(accessToken, { password: 'wrong', code: codes.next() })).status).toBe(401);
    await passFirstStep(app, account);

    const done = await remove(accessToken, { password: PASSWORD, code: codes.next() });
    expect([done.status, done.body]).toEqual([200, { message: 'Authenticator app removed' }]);
    expect(await status(accessToken)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
    await signIn(app, account);
    await app.mailbox.waitFor(
      (mail) => mail.to.includes(account.email) && mail.text.includes('factor was removed'),
    );
  });

  test('returns 404 without an authenticator app', async () => {
    const { accessToken } = await makeAccount(app, 'nothing');
    expect((await remove(accessToken, { password: PASSWORD })).status).toBe(404);
  });
});

test('an app that is added while the factors are read has its recovery codes', async () => {
  const account = await makeAccount(app, 'added-meanwhile');
  const add = () => addTotp(app, account);
  const before = await changedMeanwhile(app.db.pool, add, () => findFactors(app.db, account.id));
  expect(before).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 });
  await add();
  expect(await findFactors(app.db, account.id)).toMatchObject({
    totp: true,
    recoveryCodes: 10,
  });
});
