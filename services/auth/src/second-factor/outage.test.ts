import { startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { afterAll, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../rate-limits.ts';
import { makeAccount, signIn, startTestApp } from '../test-app.ts';
import { addTotp, passFirstStep, takeSecondStep } from './second-factor.fixture.ts';

// Budgets come back with time: it stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const outage = await startOutage(testRedis().url);
const app = await startTestApp({ RATE_LIMITS: 'on', REDIS_URL: outage.url });
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await outage[Symbol.asyncDispose]();
});

const { limit } = RATE_LIMITS.mfaByAccount;

test('completes a login once when Redis goes away before its second step', async () => {
  const account = await addTotp(app, await makeAccount(app, 'interrupted'));
  const mfaToken = await passFirstStep(app, account);
  await outage.begin();
  const wrong = await takeSecondStep(app, mfaToken, { code: account.codes.wrong() });
  expect([wrong.status, wrong.cookies]).toEqual([401, {}]);

  const code = account.codes.next();
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => takeSecondStep(app, mfaToken, { code })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
  const token = String(answers.find(({ status }) => status === 200)?.body['accessToken']);
  expect((await app.call('GET', '/user/me', { token })).status).toBe(200);

  // A whole login works as well; the code of the first one does not serve it again.
  const again = await passFirstStep(app, account);
  expect((await takeSecondStep(app, again, { code })).status).toBe(401);
  expect((await takeSecondStep(app, again, { code: account.codes.next() })).status).toBe(200);
  await outage.end();
});

test('limits codes while Redis is away', async () => {
  const account = await addTotp(app, await makeAccount(app, 'guessed'));
  const before = await passFirstStep(app, account);
  const code = account.codes.wrong();
  expect((await takeSecondStep(app, before, { code })).status).toBe(401);
  await outage.begin();
  // A token is good for five tries: here it is the account's budget that ends first.
  const tokens = [before, await passFirstStep(app, account), await passFirstStep(app, account)];
  const answers = await Promise.all(
    tokens.flatMap((token) =>
      Array.from({ length: 4 }, () => takeSecondStep(app, token, { code })),
    ),
  );
  // The code before the outage counts too.
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(limit - 1);
  expect(statuses.filter((status) => status === 429)).toHaveLength(13 - limit);
  expect(answers.flatMap(({ cookies }) => Object.keys(cookies))).toEqual([]);

  const mfaToken = await passFirstStep(app, account);
  const rightCode = account.codes.next();
  app.clock.advanceMs -= 30_000;
  const right = await takeSecondStep(app, mfaToken, { code: rightCode });
  expect([right.status, right.cookies]).toEqual([429, {}]);
  await outage.end();
});

test('revoked sessions stay revoked when Redis goes away, and a password alone starts none', async () => {
  const account = await makeAccount(app, 'ended');
  const { accessToken: token, refreshToken } = account;
  await outage.begin();
  const cookies = { refreshToken };
  expect((await app.call('POST', '/auth/logout', { cookies })).status).toBe(204);
  expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
  expect((await app.call('POST', '/auth/refresh', { cookies })).status).toBe(401);

  const fresh = await signIn(app, account);
  const mfaToken = await passFirstStep(app, await addTotp(app, fresh));
  expect((await app.call('GET', '/user/me', { token: mfaToken })).status).toBe(401);
  const guess = await app.call('POST', '/auth/refresh', { cookies: { refreshToken: mfaToken } });
  expect(guess.status).toBe(401);
  await outage.end();
  expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
  expect((await app.call('POST', '/auth/refresh', { cookies })).status).toBe(401);
});
