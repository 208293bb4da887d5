import { randomUUID } from 'node:crypto';
import { createRateLimiter, type RateLimitRule } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { afterAll, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../rate-limits.ts';
import { makeAccount, PASSWORD, startTestApp } from '../test-app.ts';

// Budgets come back with time, which stands still here.
vi.useFakeTimers({ toFake: ['Date'] });

const queuePrefix = `{hash-budget-${randomUUID()}}`;
const app = await startTestApp({ RATE_LIMITS: 'on', QUEUE_PREFIX: queuePrefix });
afterAll(() => app[Symbol.asyncDispose]());
const redis = await openRedis({ url: testRedis().url, ...TEST_TIMEOUTS });
afterAll(() => redis[Symbol.asyncDispose]());
const limiter = createRateLimiter({
  redis: redis.client,
  keyPrefix: `${queuePrefix}:auth`,
  enabled: true,
  clockMs: Date.now,
});

async function useUp(rule: RateLimitRule, key: string): Promise<void> {
  let isUsedUp = false;
  while (!isUsedUp) {
    await limiter.consume(rule, key).catch(() => {
      isUsedUp = true;
    });
  }
}

const REQUESTS: [string, string, object][] = [
  ['password', '/user/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }],
  ['email', '/user/change-email', { password: PASSWORD, email: 'else@example.com' }],
  ['factors', '/user/second-factor/totp', { password: PASSWORD }],
];

test.each(REQUESTS)(
  'right passwords count against the hash limits of account and IP address: %s',
  async (username, path, body) => {
    const { id, accessToken: token, email } = await makeAccount(app, username.replace('-', ''));
    await app.db.query('UPDATE accounts SET email_verified_at = now() WHERE email = $1', [email]);
    const post = async () => (await app.call('POST', path, { token, body })).status;
    for (const [rule, key] of [
      [RATE_LIMITS.hashesByAccount, id],
      [RATE_LIMITS.hashesByIp, '127.0.0.1'],
    ] as const) {
      await limiter.forget(rule, key);
      // Redis expires a count by its own clock: half a budget is kept for minutes.
      const used = rule.limit / 2;
      for (let n = 0; n < used; n += 1) await limiter.consume(rule, key);
      expect(await post()).not.toBe(429);
      // Right as it was, it stays counted.
      expect((await limiter.consume(rule, key)).remaining).toBeLessThan(rule.limit - used - 1);
      await useUp(rule, key);
      expect(await post()).toBe(429);
      await limiter.forget(rule, key);
    }
  },
);

test('a rejection by the hash limit keeps the failed attempts of the session', async () => {
  const { id, accessToken: token } = await makeAccount(app, 'stolen');
  const guess = async (currentPassword: string) => {
    const body = { currentPassword, newPassword: 'an umbrella by the door' };
    return (await app.call('POST', '/user/change-password', { token, body })).status;
  };
  for (let wrong = 1; wrong < RATE_LIMITS.confirmPassword.limit; wrong += 1) {
    expect(await guess('wrong')).toBe(401);
  }
  await useUp(RATE_LIMITS.hashesByAccount, id);
  expect(await guess('wrong')).toBe(429);
  await limiter.forget(RATE_LIMITS.hashesByAccount, id);
  expect([await guess('wrong'), await guess('wrong')]).toEqual([401, 429]);
});

test('one session cannot use up the hash limit of its account', () => {
  // A stolen session guesses ten times at once and four times an hour from then on.
  expect(RATE_LIMITS.hashesByAccount.limit).toBeGreaterThan(RATE_LIMITS.confirmPassword.limit + 20);
});
