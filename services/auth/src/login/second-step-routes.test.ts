import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp, valueOf } from '../test-app.ts';
import { addTotp, passFirstStep, takeSecondStep } from '../second-factor/second-factor.fixture.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';
const EXPIRED = { error: 'Unauthorized', message: 'Login has expired, please log in again' };

async function resetPassword(email: string): Promise<void> {
  await app.call('POST', '/auth/forgot-password', { body: { email } });
  const token = await app.emailToken(email, 'reset-password');
  const answer = await app.call('POST', `/auth/reset-password/${token}`, {
    body: { password: NEW_PASSWORD },
  });
  expect(answer.status).toBe(200);
}

describe('the MFA token', () => {
  test('security 25: is refused after five minutes, after use and when it was never issued', async () => {
    const account = await addTotp(app, await makeAccount(app, 'tokens'));
    const { codes } = account;
    const late = await passFirstStep(app, account);
    const refuses = async (token: string) => {
      const answer = await takeSecondStep(app, token, { code: codes.next() });
      expect([answer.status, answer.body, answer.cookies]).toEqual([401, EXPIRED, {}]);
    };
    app.clock.advanceMs += 301_000;
    await refuses(late);
    const used = await passFirstStep(app, account);
    expect((await takeSecondStep(app, used, { code: codes.next() })).status).toBe(200);
    await refuses(used);
    await refuses('x'.repeat(43));
    await refuses('short');
  });

  test('is stored as a hash, and deleted by a later login once it has expired', async () => {
    const account = await addTotp(app, await makeAccount(app, 'tidy'));
    const token = await passFirstStep(app, account);
    app.clock.advanceMs += 301_000;
    await passFirstStep(app, account);
    const rows = await app.db.query<{ hash: Buffer }>(
      'SELECT hash FROM mfa_challenges WHERE account_id = $1',
      [account.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.hash.toString('base64url')).not.toBe(token);
  });

  test('security 25: starts one session in ten parallel requests with a right code', async () => {
    const account = await addTotp(app, await makeAccount(app, 'tenfold'));
    const mfaToken = await passFirstStep(app, account);
    const code = account.codes.next();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => takeSecondStep(app, mfaToken, { code })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  test('security 25: does not accept a code of another account', async () => {
    const mine = await addTotp(app, await makeAccount(app, 'attacker'));
    const theirs = await addTotp(app, await makeAccount(app, 'victim'));
    const mfaToken = await passFirstStep(app, theirs);
    const code = mine.codes.next();
    expect((await takeSecondStep(app, mfaToken, { code })).status).toBe(401);
    const [recoveryCode] = mine.recoveryCodes;
    expect((await takeSecondStep(app, mfaToken, { recoveryCode })).status).toBe(401);
  });
});

describe('a new password', () => {
  test('security 22: leaves the second factor on after a reset', async () => {
    const account = await addTotp(app, await makeAccount(app, 'resetfactor'));
    await resetPassword(account.email);
    const mfaToken = await passFirstStep(app, account, NEW_PASSWORD);
    const wrong = await takeSecondStep(app, mfaToken, { code: account.codes.wrong() });
    expect(wrong.status).toBe(401);
    const right = await takeSecondStep(app, mfaToken, { code: account.codes.next() });
    expect(right.status).toBe(200);
  });

  test('security 22: revokes logins that wait for their second step', async () => {
    const account = await addTotp(app, await makeAccount(app, 'overtaken'));
    const mfaToken = await passFirstStep(app, account);
    await resetPassword(account.email);
    const answer = await takeSecondStep(app, mfaToken, { code: account.codes.next() });
    expect([answer.status, answer.body, answer.cookies]).toEqual([401, EXPIRED, {}]);
  });
});

describe('the second step', () => {
  test('offers the factors of the account', async () => {
    const account = await addTotp(app, await makeAccount(app, 'optional'));
    const mfaToken = await passFirstStep(app, account);
    const answer = await app.call('POST', '/auth/mfa/options', { body: { mfaToken } });
    expect([answer.status, answer.body]).toEqual([
      200,
      { methods: ['code', 'recoveryCode'], passkey: null },
    ]);
    const unknown = await app.call('POST', '/auth/mfa/options', { body: { mfaToken: 'unknown' } });
    expect([unknown.status, unknown.body]).toEqual([401, EXPIRED]);
  });

  test('needs exactly one factor', async () => {
    const account = await addTotp(app, await makeAccount(app, 'ambiguous'));
    const mfaToken = await passFirstStep(app, account);
    expect((await takeSecondStep(app, mfaToken, {})).status).toBe(400);
    const [recoveryCode] = account.recoveryCodes;
    const both = await takeSecondStep(app, mfaToken, { code: '123456', recoveryCode });
    expect(both.status).toBe(422);
    expect((await app.call('POST', '/auth/mfa', { body: { code: '123456' } })).status).toBe(400);
  });

  test('replaces the session of its refresh cookie and recognises the device', async () => {
    const account = await makeAccount(app, 'returning');
    const { codes } = await addTotp(app, account);
    const { device, refreshToken } = account;
    const mfaToken = await passFirstStep(app, account);
    const answer = await takeSecondStep(
      app,
      mfaToken,
      { code: codes.next() },
      { cookies: { device, refreshToken } },
    );
    expect(valueOf(answer.cookies['device'])).toBe(device);
    const old = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
    expect(old.status).toBe(401);
    expect(await suspicious(account.id)).toBe(0);
  });

  test('does not make a device known before it succeeds', async () => {
    const account = await addTotp(app, await makeAccount(app, 'stranger'));
    const mfaToken = await passFirstStep(app, account);
    expect(await suspicious(account.id)).toBe(0);
    await takeSecondStep(app, mfaToken, { code: account.codes.next() });
    expect(await suspicious(account.id)).toBe(1);
  });

  test('is recorded in the audit trail', async () => {
    const account = await addTotp(app, await makeAccount(app, 'audited'));
    const mfaToken = await passFirstStep(app, account);
    await takeSecondStep(app, mfaToken, { code: account.codes.wrong() });
    await takeSecondStep(app, mfaToken, { code: account.codes.next() });
    const rows = await app.db.query<{ kind: string }>(
      'SELECT kind FROM audit_events WHERE account_id = $1 ORDER BY created_at, id',
      [account.id],
    );
    const kinds = rows.map((row) => row.kind);
    expect(kinds).toEqual(
      expect.arrayContaining([
        'factor.added',
        'login.second_step_required',
        'factor.failed',
        'factor.used',
      ]),
    );
  });
});

test('security 25: limits wrong codes by account across logins', async () => {
  // Budgets come back with time: it stands still unless the test moves it.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await using limited = await startTestApp({ RATE_LIMITS: 'on' });
  const account = await addTotp(limited, await makeAccount(limited, 'throttled'));
  const answers = [];
  for (let login = 0; login < 3; login += 1) {
    const mfaToken = await passFirstStep(limited, account);
    const code = account.codes.wrong();
    for (let guess = 0; guess < 4; guess += 1) {
      answers.push(await takeSecondStep(limited, mfaToken, { code }));
    }
  }
  const statuses = answers.map((answer) => answer.status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  expect(answers.at(-1)?.headers['retry-after']).toMatch(/^\d+$/);
  // Nor does the right code help any more, because the client may be guessing.
  const mfaToken = await passFirstStep(limited, account);
  const code = account.codes.next();
  limited.clock.advanceMs -= 30_000;
  const right = await takeSecondStep(limited, mfaToken, { code });
  const [recoveryCode] = account.recoveryCodes;
  const recovered = await takeSecondStep(limited, mfaToken, { recoveryCode });
  expect([right.status, recovered.status]).toEqual([429, 200]);
});

async function suspicious(accountId: string): Promise<number> {
  const events = await app.db.query(
    `SELECT 1 FROM outbox WHERE account_id = $1 AND event = 'auth.suspicious_login'`,
    [accountId],
  );
  return events.length;
}

test('a login without second factors needs no second step', async () => {
  const account = await makeAccount(app, 'unprotected');
  const { email } = account;
  const answer = await app.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
  expect(Object.keys(answer.body)).toEqual(['accessToken', 'user']);
  await signIn(app, account);
});
