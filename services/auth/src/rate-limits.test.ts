import { afterAll, expect, test } from 'vitest';
import { RATE_LIMITS } from './rate-limits.ts';
import { inputOf, startTestApp } from './test-app.ts';

const app = await startTestApp({ RATE_LIMITS: 'on' });
afterAll(() => app[Symbol.asyncDispose]());

test('the requests for a reset of one address are limited, with a time to come back', async () => {
  const { limit } = RATE_LIMITS.forgotByEmail;
  const ask = (email: string) => app.call('POST', '/auth/forgot-password', { body: { email } });
  for (let n = 0; n < limit; n += 1) {
    expect((await ask('often@example.com')).status).toBe(202);
  }
  const refused = await ask('OFTEN@example.com');
  expect([refused.status, refused.body['error']]).toEqual([429, 'Too Many Requests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('seldom@example.com')).status).toBe(202);
});

test('logins of one address are limited before the password is looked at', async () => {
  const input = inputOf('guessed');
  await app.call('POST', '/auth/register', { body: input });
  const logIn = (password: string) =>
    app.call('POST', '/auth/login', { body: { email: input.email, password } });
  const { limit } = RATE_LIMITS.loginByEmail;
  const guesses = await Promise.all(Array.from({ length: limit }, () => logIn('wrong')));
  expect(guesses.every((answer) => answer.status === 401)).toBe(true);
  expect((await logIn(input.password)).status).toBe(429);
});

test('the owner of an address hears of it only so often', async () => {
  const owner = inputOf('bothered');
  await app.call('POST', '/auth/register', { body: owner });
  for (let n = 0; n < 5; n += 1) {
    const input = { ...inputOf(`bother${n}`), email: owner.email };
    expect((await app.call('POST', '/auth/register', { body: input })).status).toBe(201);
  }
  const rows = await app.db.query(`SELECT 1 FROM outgoing_mails WHERE kind = 'email-taken'`);
  expect(rows.length).toBeLessThanOrEqual(RATE_LIMITS.takenEmailNotice.limit);
});
