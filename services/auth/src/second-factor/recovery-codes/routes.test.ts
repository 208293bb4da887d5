import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { addTotp, passFirstStep, takeSecondStep } from '../second-factor.fixture.ts';
import { makeAccount, PASSWORD, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const FORM = /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/;
const WRONG = { error: 'Unauthorized', message: 'Code is wrong or has been used' };

const renew = (token: string, body: object) =>
  app.call('POST', '/user/second-factor/recovery-codes', { token, body });
const left = async (token: string) =>
  (await app.call('GET', '/user/second-factor', { token })).body['recoveryCodesLeft'];

test('security 26: ten codes come with the first factor, and only their hashes are stored', async () => {
  const account = await addTotp(app, await makeAccount(app, 'hashed'));
  expect(account.recoveryCodes).toHaveLength(10);
  for (const code of account.recoveryCodes) {
    expect(code).toMatch(FORM);
  }
  const rows = await app.db.query<{ hash: Buffer }>(
    'SELECT hash FROM recovery_codes WHERE account_id = $1',
    [account.id],
  );
  const digests = account.recoveryCodes.map((code) =>
    createHash('sha256').update(code.replaceAll('-', '')).digest('hex'),
  );
  expect(rows.map((row) => row.hash.toString('hex')).toSorted()).toEqual(digests.toSorted());
  const [everything] = await app.db.query<{ rows: string }>(
    `SELECT concat((SELECT string_agg(m::text, ' ') FROM email_messages m),
                   (SELECT string_agg(e::text, ' ') FROM audit_events e)) AS rows`,
  );
  for (const code of account.recoveryCodes) {
    expect(everything?.rows).not.toContain(code);
    expect(everything?.rows).not.toContain(code.replaceAll('-', ''));
  }
});

test('security 26: a code logs in once and notifies the owner', async () => {
  const account = await addTotp(app, await makeAccount(app, 'onceonly'));
  const [code = ''] = account.recoveryCodes;
  const first = await takeSecondStep(app, await passFirstStep(app, account), {
    recoveryCode: code.toUpperCase().replaceAll('-', ' '),
  });
  expect([first.status, Object.keys(first.cookies).toSorted()]).toEqual([
    200,
    ['device', 'refreshToken'],
  ]);
  expect(await left(account.accessToken)).toBe(9);
  const mfaToken = await passFirstStep(app, account);
  const again = await takeSecondStep(app, mfaToken, { recoveryCode: code });
  expect([again.status, again.body, again.cookies]).toEqual([401, WRONG, {}]);
  await app.mailbox.waitFor(
    (mail) => mail.to.includes(account.email) && mail.text.includes('A recovery code was used'),
  );
});

test('security 26: one of ten parallel logins with one code succeeds', async () => {
  const account = await addTotp(app, await makeAccount(app, 'race'));
  const [recoveryCode] = account.recoveryCodes;
  const tokens = await Promise.all(Array.from({ length: 10 }, () => passFirstStep(app, account)));
  const answers = await Promise.all(
    tokens.map((token) => takeSecondStep(app, token, { recoveryCode })),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(await left(account.accessToken)).toBe(9);
});

test('security 26: one login with five parallel codes uses one', async () => {
  const account = await addTotp(app, await makeAccount(app, 'spender'));
  const mfaToken = await passFirstStep(app, account);
  const answers = await Promise.all(
    account.recoveryCodes
      .slice(0, 5)
      .map((recoveryCode) => takeSecondStep(app, mfaToken, { recoveryCode })),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(await left(account.accessToken)).toBe(9);
});

test('security 26: a login that fails for another reason leaves the code unused', async () => {
  const account = await addTotp(app, await makeAccount(app, 'unused'));
  const [recoveryCode] = account.recoveryCodes;
  const used = await passFirstStep(app, account);
  await takeSecondStep(app, used, { code: account.codes.next() });
  expect((await takeSecondStep(app, used, { recoveryCode })).status).toBe(401);
  const fresh = await takeSecondStep(app, await passFirstStep(app, account), { recoveryCode });
  expect(fresh.status).toBe(200);
});

test('security 26: new codes need password and factor, and void the old ones', async () => {
  const account = await addTotp(app, await makeAccount(app, 'renewer'));
  const [recoveryCode] = account.recoveryCodes;
  const { accessToken } = account;
  expect((await renew(accessToken, { password: PASSWORD })).status).toBe(401);
  expect((await renew(accessToken, { password: 'wrong', recoveryCode })).status).toBe(401);
  expect(await left(accessToken)).toBe(10);

  const code = account.codes.next();
  const { status, body, headers } = await renew(accessToken, { password: PASSWORD, code });
  const codes = body['recoveryCodes'] as string[];
  expect([status, codes.length, headers['cache-control']]).toEqual([200, 10, 'no-store']);
  const mfaToken = await passFirstStep(app, account);
  expect((await takeSecondStep(app, mfaToken, { recoveryCode })).status).toBe(401);
  expect((await takeSecondStep(app, mfaToken, { recoveryCode: codes[9] })).status).toBe(200);
});

test('returns 404 without a second factor', async () => {
  const { accessToken } = await makeAccount(app, 'factorless');
  const answer = await renew(accessToken, { password: PASSWORD });
  expect([answer.status, answer.body['message']]).toEqual([404, 'Second factor not found']);
});
