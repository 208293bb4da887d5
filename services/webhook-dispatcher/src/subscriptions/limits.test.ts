import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { newId } from '@atrium/contracts/ids';
import { recordPlan } from '@atrium/service-kit/owner-plans';
import { until } from '@atrium/testkit/until';
import { startHarness } from '../harness.fixture.ts';
import { seedDelivery } from '../seed.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const body = { url: 'https://93.184.216.34/hook', events: ['note.shared'] };

it.each([
  ['free', 10],
  ['pro', 100],
] as const)(
  'limits a %s account to %i subscriptions under concurrent creation',
  async (plan, limit) => {
    const accountId = newId('usr');
    const token = harness.issuer.issueToken({ sub: accountId, plan });
    // A busy machine answers 503, when nothing was done: asked again until there is time for it.
    const create = () =>
      until(async () => {
        const answer = await harness.call('/api/webhooks', { method: 'POST', body, token });
        return answer.status !== 503 && answer;
      });
    await harness.database.query(
      `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
     SELECT $1 || n, $1, 'https://93.184.216.34/', '{go.click}', '' FROM generate_series(1, $2::int) n`,
      [accountId, limit - 2],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, create));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 201, 403, 403, 403, 403]);
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.find(({ status }) => status !== 201)).toEqual({
      status: 403,
      body: { error: 'Plan Limit Exceeded', message: `Your plan allows ${limit} webhooks` },
    });
    await harness.call(`/api/webhooks/${made[0]?.body.id}`, { method: 'DELETE', token });
    expect([(await create()).status, (await create()).status]).toEqual([201, 403]);
  },
);

it('limits by a new plan at once, whatever plan the access token still has', async () => {
  const accountId = newId('usr');
  const tokenOf = (plan: 'free' | 'pro') => harness.issuer.issueToken({ sub: accountId, plan });
  const change = (plan: 'free' | 'pro') =>
    recordPlan(harness.database, {
      id: newId('msg'),
      kind: 'plan.changed',
      accountId,
      createdAt: new Date().toISOString(),
      data: { plan },
    });
  const create = (plan: 'free' | 'pro') =>
    harness.call('/api/webhooks', { method: 'POST', body, token: tokenOf(plan) });
  await change('pro');
  let id = '';
  for (let n = 0; n < 11; n += 1) ({ id } = (await create('free')).body);
  await change('free');
  const refused = { status: 403, body: { message: 'Your plan allows 10 webhooks' } };
  expect(await create('pro')).toMatchObject(refused);
  const token = tokenOf('pro');
  const listener = { forwardTo: 'http://localhost:3000/hook', events: body.events };
  const listen = { method: 'POST', body: listener, token } as const;
  expect(await harness.call('/api/listeners', listen)).toMatchObject(refused);
  await harness.call(`/api/webhooks/${id}`, { method: 'DELETE', token });
  const restore = { method: 'POST', token } as const;
  expect(await harness.call(`/api/webhooks/${id}/restore`, restore)).toMatchObject(refused);
});

it.each([
  ['PATCH', '/api/webhooks/whk_none', { url: body.url }, 60],
  ['POST', '/api/deliveries/dlv_none/redeliver', undefined, 60],
  ['POST', '/api/webhooks/whk_none/recover', { since: '2026-01-01T00:00:00Z' }, 30],
  ['GET', '/api/webhooks/whk_none/statistics', undefined, 120],
  ['GET', '/api/webhooks/whk_none/deliveries', undefined, 600],
  ['POST', '/api/webhooks/whk_none/test', { event: 'go.click' }, 30],
] as const)('limits %s %s per account', async (method, path, input, limit) => {
  const token = harness.issuer.issueToken();
  // While the clock stands still, nothing of the limit comes back.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const statuses: number[] = [];
  for (let i = 0; i <= limit; i += 1) {
    const answer = await harness.call(path, { method, token, ...(input && { body: input }) });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array.from({ length: limit }, () => 404), 429]);
});

it('limits the test events of an account to about 1,000 a day', async () => {
  const token = harness.issuer.issueToken();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const test = { method: 'POST', token, body: { event: 'go.click' } } as const;
  let admitted = 0;
  for (let minute = 0; minute < 40; minute += 1) {
    vi.setSystemTime(Date.now() + 60_000);
    for (let sent = 0; sent < 30; sent += 1) {
      const { status } = await harness.call('/api/webhooks/whk_none/test', test);
      if (status === 404) admitted += 1;
    }
  }
  expect(admitted).toBeGreaterThan(990);
  expect(admitted).toBeLessThan(1_050);
});

it('returns 404 on every route for a deleted subscription, which receives nothing more', async () => {
  const { id } = await harness.subscribe(body.url);
  const seed = { subscriptionId: id, accountId: harness.accountId };
  const delivery = await seedDelivery(harness.database, { ...seed, state: 'exhausted' });
  await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
  const since = new Date(0).toISOString();
  const calls = [
    ['GET', `/api/webhooks/${id}`],
    ['PATCH', `/api/webhooks/${id}`, { enabled: false }],
    ['DELETE', `/api/webhooks/${id}`],
    ['POST', `/api/webhooks/${id}/pause`],
    ['POST', `/api/webhooks/${id}/resume`],
    ['POST', `/api/webhooks/${id}/rotate-secret`],
    ['POST', `/api/webhooks/${id}/test`, { event: 'go.click' }],
    ['POST', `/api/webhooks/${id}/recover`, { since }],
    ['GET', `/api/webhooks/${id}/recoveries`],
    ['GET', `/api/webhooks/${id}/deliveries`],
    ['GET', `/api/webhooks/${id}/deliveries?state=exhausted`],
    ['GET', `/api/deliveries/${delivery}`],
    ['POST', `/api/deliveries/${delivery}/redeliver`],
  ] as const;
  for (const [method, path, input] of calls) {
    const { status } = await harness.call(path, { method, ...(input && { body: input }) });
    expect([path, status]).toEqual([path, 404]);
  }
  expect((await harness.call('/api/webhooks')).body.data).toEqual([]);
  expect((await harness.call('/api/deliveries')).body.data).toEqual([]);
  const rows = await harness.database.query('SELECT enabled FROM subscriptions WHERE id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ enabled: true }]);
});

it('returns 404 on every route for the subscription of another account', async () => {
  const { id } = await harness.subscribe(body.url);
  const seed = { subscriptionId: id, accountId: harness.accountId };
  const delivery = await seedDelivery(harness.database, { ...seed, state: 'exhausted' });
  const token = harness.issuer.issueToken();
  const since = new Date(0).toISOString();
  const calls = [
    ['POST', `/api/webhooks/${id}/pause`],
    ['POST', `/api/webhooks/${id}/resume`],
    ['POST', `/api/webhooks/${id}/rotate-secret`],
    ['POST', `/api/webhooks/${id}/test`, { event: 'go.click' }],
    ['POST', `/api/webhooks/${id}/recover`, { since }],
    ['GET', `/api/webhooks/${id}/recoveries`],
    ['GET', `/api/webhooks/${id}/deliveries?state=exhausted`],
    ['GET', `/api/deliveries/${delivery}`],
    ['POST', `/api/deliveries/${delivery}/redeliver`],
  ] as const;
  for (const [method, path, input] of calls) {
    const answer = (bearer: string) =>
      harness.call(path, { method, token: bearer, ...(input && { body: input }) });
    expect([path, (await answer(token)).status]).toEqual([path, 404]);
    expect([path, (await answer('')).status]).toEqual([path, 401]);
  }
  expect((await harness.call('/api/deliveries', { token })).body.data).toEqual([]);
});
