import { afterAll, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../rate-limits.ts';
import { type Answer, inputOf, signIn, startTestApp } from '../test-app.ts';

// A busy machine needs long for a hundred hashes.
vi.setConfig({ testTimeout: 180_000 });

// Budgets come back with time: it stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const app = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });
afterAll(() => app[Symbol.asyncDispose]());

const { limit, delays } = RATE_LIMITS.loginByUnknownDevice;
let clients = 0;
/** Another client each time. */
const elsewhere = () => ({
  'x-forwarded-for': `198.51.${(clients += 1) >> 8}.${clients & 255}`,
});
const tryWrongPassword = (email: string, headers: Record<string, string> = elsewhere()) =>
  app.call('POST', '/auth/login', { body: { email, password: 'a wrong guess' }, headers });
const account = (username: string) =>
  app.call('POST', '/auth/register', { body: inputOf(username), headers: elsewhere() });
const outcome = ({ status, headers, body }: Answer) => ({
  status,
  body,
  retryAfter: headers['retry-after'],
  limit: headers['ratelimit'],
  policy: headers['ratelimit-policy'],
});

test('security 7: limits attempts at an unknown account like those at a known one', async () => {
  await account('watched');
  const tries = [];
  for (const email of ['watched@example.com', 'nobody@example.com']) {
    app.clock.advanceMs = 0;
    const seen = [];
    for (let n = 0; n < limit + 4; n += 1) {
      const answer = await tryWrongPassword(email);
      seen.push(outcome(answer));
      if (answer.status === 429) {
        app.clock.advanceMs += Number(answer.headers['retry-after']) * 1000;
      }
    }
    tries.push(seen);
  }
  app.clock.advanceMs = 0;
  const [known, unknown] = tries;
  expect(unknown).toEqual(known);
  expect(known?.map(({ status }) => status)).toEqual([
    ...Array.from({ length: limit }, () => 401),
    429,
    401,
    429,
    401,
  ]);
});

test('security 7: delays each failed attempt past the limit longer, up to a maximum', async () => {
  const { firstSeconds, maxSeconds } = delays;
  for (let n = 0; n < limit; n += 1) {
    await tryWrongPassword('patient@example.com');
  }
  const waits = [];
  for (let n = 0; n < 10; n += 1) {
    const refused = await tryWrongPassword('patient@example.com');
    waits.push(Number(refused.headers['retry-after']));
    app.clock.advanceMs += Number(refused.headers['retry-after']) * 1000;
    expect((await tryWrongPassword('patient@example.com')).status).toBe(401);
  }
  app.clock.advanceMs = 0;
  expect(waits.slice(0, 3)).toEqual([firstSeconds, 2 * firstSeconds, 4 * firstSeconds]);
  expect(waits.at(-1)).toBe(maxSeconds);
});

test('security 8: checks no more passwords than the limit in 100 parallel logins', async () => {
  await account('stormed');
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => tryWrongPassword('stormed@example.com')),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(limit);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(100 - limit);
  expect(refused.every(({ headers }) => Number(headers['retry-after']) >= 1)).toBe(true);
});

test('security 8: returns 429 for a right password past the limit', async () => {
  await account('guessed');
  const wrong = Array.from({ length: 50 }, () => tryWrongPassword('guessed@example.com'));
  const { email, password } = inputOf('guessed');
  const right = Array.from({ length: 10 }, () =>
    app.call('POST', '/auth/login', { body: { email, password }, headers: elsewhere() }),
  );
  await Promise.all(wrong);
  const statuses = (await Promise.all(right)).map(({ status }) => status);
  expect(statuses).toEqual(right.map(() => 429));
});

test('security 8: limits parallel attempts at many accounts from one address', async () => {
  const headers = elsewhere();
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, n) => tryWrongPassword(`sprayed${n}@example.com`, headers)),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(RATE_LIMITS.loginByIp.limit);
});

test('attempts that one limit refuses use up no other', async () => {
  for (let n = 0; n < limit; n += 1) await tryWrongPassword('exhausted@example.com');
  const headers = elsewhere();
  for (let n = 0; n < RATE_LIMITS.loginByIp.limit; n += 1) {
    expect((await tryWrongPassword('exhausted@example.com', headers)).status).toBe(429);
  }
  expect((await tryWrongPassword('colleague@example.com', headers)).status).toBe(401);
});

test('security 9: lets the owner log in from a known device during an attack', async () => {
  await account('besieged');
  const owner = await signIn(app, inputOf('besieged'), { headers: elsewhere() });
  await Promise.all(Array.from({ length: 50 }, () => tryWrongPassword(owner.email)));
  const unknownDevice = await app.call('POST', '/auth/login', {
    body: { email: owner.email, password: inputOf('besieged').password },
    headers: elsewhere(),
  });
  expect(unknownDevice.status).toBe(429);
  const known = { cookies: { device: owner.device }, headers: elsewhere() };
  for (let n = 0; n < limit + 2; n += 1) {
    await signIn(app, owner, known);
  }
  // The owner's logins took nothing off the attacker's count.
  expect((await tryWrongPassword(owner.email)).status).toBe(429);
});

test('security 9: limits a known device, separately for each account', async () => {
  await account('careless');
  const owner = await signIn(app, inputOf('careless'), { headers: elsewhere() });
  const wrong = (email: string) =>
    app.call('POST', '/auth/login', {
      body: { email, password: 'a wrong guess' },
      cookies: { device: owner.device },
      headers: elsewhere(),
    });
  const answers = await Promise.all(Array.from({ length: 30 }, () => wrong(owner.email)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(limit);
  // The cookie is good for the account that knows the device, not for a fresh budget elsewhere.
  for (let n = 0; n < limit; n += 1) {
    await tryWrongPassword('neighbour@example.com');
  }
  expect((await wrong('neighbour@example.com')).status).toBe(429);
});

test('security 9: treats forged device cookies as unknown devices', async () => {
  await account('cookied');
  const owner = await signIn(app, inputOf('cookied'), { headers: elsewhere() });
  const [id = ''] = owner.device.split('.');
  for (let n = 0; n < limit; n += 1) {
    await tryWrongPassword('cookied@example.com');
  }
  for (const device of [
    'x',
    `${'A'.repeat(22)}.${'A'.repeat(43)}`,
    id,
    `${id}.${'A'.repeat(43)}`,
  ]) {
    const answer = await app.call('POST', '/auth/login', {
      body: { email: 'cookied@example.com', password: 'a wrong guess' },
      cookies: { device },
      headers: elsewhere(),
    });
    expect(answer.status).toBe(429);
  }
});

test('a right password counts for nothing and clears no earlier failures', async () => {
  await account('busy');
  for (let n = 0; n < limit - 1; n += 1) {
    await tryWrongPassword('busy@example.com');
  }
  const headers = elsewhere();
  for (let n = 0; n < limit + 5; n += 1) {
    await signIn(app, inputOf('busy'), { headers });
  }
  expect((await tryWrongPassword('busy@example.com')).status).toBe(401);
  expect((await tryWrongPassword('busy@example.com')).status).toBe(429);
});

test('a password reset clears the failures of unknown devices', async () => {
  await account('rescued');
  const { email } = inputOf('rescued');
  await Promise.all(Array.from({ length: 30 }, () => tryWrongPassword(email)));
  await app.call('POST', '/auth/forgot-password', { body: { email }, headers: elsewhere() });
  const token = await app.emailToken(email, 'reset-password');
  const body = { password: 'an umbrella by the door' };
  await app.call('POST', `/auth/reset-password/${token}`, { body, headers: elsewhere() });
  await signIn(app, { ...inputOf('rescued'), ...body }, { headers: elsewhere() });
});

test('limits attempts at the current password for each session', async () => {
  await account('held');
  const thief = await signIn(app, inputOf('held'), { headers: elsewhere() });
  const owner = await signIn(app, inputOf('held'), { headers: elsewhere() });
  const change = (token: string, currentPassword: string) =>
    app.call('POST', '/user/change-password', {
      token,
      body: { currentPassword, newPassword: 'an umbrella by the door' },
      headers: elsewhere(),
    });
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => change(thief.accessToken, 'a wrong guess')),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(limit);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - limit);
  expect((await change(owner.accessToken, inputOf('held').password)).status).toBe(200);
});
