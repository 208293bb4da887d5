import { startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { afterAll, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../rate-limits.ts';
import { inputOf, signIn, startTestApp } from '../test-app.ts';

// Budgets come back with time: it stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const outage = await startOutage(testRedis().url);
const app = await startTestApp({ RATE_LIMITS: 'on', REDIS_URL: outage.url });
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await outage[Symbol.asyncDispose]();
});

const { limit } = RATE_LIMITS.loginByUnknownDevice;

test('applies the limits of the process to logins while Redis is away', async () => {
  const account = inputOf('stranded');
  await app.call('POST', '/auth/register', { body: account });
  const guess = () =>
    app.call('POST', '/auth/login', { body: { email: account.email, password: 'a wrong guess' } });
  expect((await guess()).status).toBe(401);
  await outage.begin();
  const { device } = await signIn(app, account);
  const answers = await Promise.all(Array.from({ length: 40 }, guess));
  // The guess before the outage counts too.
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(limit - 1);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(41 - limit);
  await expect(signIn(app, account)).rejects.toThrow('429');
  await signIn(app, account, { cookies: { device } });
  await outage.end();
});
