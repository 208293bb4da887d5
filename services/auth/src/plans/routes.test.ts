import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, expect, test } from 'vitest';
import { INTERNAL_SECRET, makeAccount, startTestApp } from '../test-app.ts';
import type { Tx } from '../database.ts';
import { setPlan } from './set-plan.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const put = (id: string, body: object, secret: string | undefined = INTERNAL_SECRET) =>
  app.call('PUT', `/internal/accounts/${id}/plan`, {
    body,
    headers: { 'x-request-id': 'req-1', ...(secret === '' ? {} : { 'x-internal-secret': secret }) },
  });

test('an operator changes the plan, which the other services are told and the next access token carries', async () => {
  const account = await makeAccount(app, 'upgraded');
  const answer = await put(account.id, { plan: 'pro' });
  expect([answer.status, answer.body]).toEqual([200, { id: account.id, plan: 'pro' }]);
  const told = await app.db.query(
    `SELECT queue, data, request_id FROM outbox WHERE account_id = $1 AND event = 'plan.changed' ORDER BY queue`,
    [account.id],
  );
  expect(told).toEqual([
    { queue: 'inbox-links', data: { plan: 'pro' }, request_id: 'req-1' },
    { queue: 'inbox-notes', data: { plan: 'pro' }, request_id: 'req-1' },
    { queue: 'inbox-webhooks', data: { plan: 'pro' }, request_id: 'req-1' },
  ]);
  const { refreshToken } = account;
  const { body } = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
  const payload = String(body['accessToken']).split('.')[1] ?? '';
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    sub: account.id,
    plan: 'pro',
  });
});

test('tells notes the last of two plans last, when both are changed at once', async () => {
  const { id } = await makeAccount(app, 'twice');
  const changeToPro = (tx: Tx) => setPlan(tx, { accountId: id, plan: 'pro', nowMs: Date.now() });
  let earlier: ReturnType<typeof put> | undefined;
  await app.db.transaction({ requestId: 'test' }, async (tx) => {
    await changeToPro(tx);
    earlier = put(id, { plan: 'free' });
    await untilBlocked(app.db);
    await changeToPro(tx);
  });
  expect((await earlier)?.status).toBe(200);
  const told = await app.db.query<{ plan: string }>(
    `SELECT data ->> 'plan' AS plan FROM outbox
     WHERE account_id = $1 AND event = 'plan.changed' AND queue = 'inbox-notes'
     ORDER BY created_at`,
    [id],
  );
  expect(told.map(({ plan }) => plan)).toEqual(['pro', 'pro', 'free']);
});

test('shows the owner the plan at once, before a refresh', async () => {
  const { id, accessToken: token } = await makeAccount(app, 'planner');
  expect((await app.call('GET', '/user/plan', { token })).body).toEqual({ id, plan: 'free' });
  await put(id, { plan: 'pro' });
  expect((await app.call('GET', '/user/plan', { token })).body).toEqual({ id, plan: 'pro' });
  expect((await app.call('GET', '/user/plan')).status).toBe(401);
});

test('returns 401 without the secret, 404 for an unknown account and 422 for an unknown plan', async () => {
  const { id } = await makeAccount(app, 'unchanged');
  const statuses = await Promise.all([
    put(id, { plan: 'pro' }, ''),
    put(id, { plan: 'pro' }, 'wrong-secret-of-tests'),
    put('usr_unknown', { plan: 'pro' }),
    put(id, { plan: 'gold' }),
    put(id, {}),
  ]);
  expect(statuses.map((answer) => answer.status)).toEqual([401, 401, 404, 422, 400]);
  expect(statuses[2]?.body).toEqual({ error: 'Not Found', message: 'Account not found' });
});

test('new accounts have the plan of DEFAULT_PLAN, which the other services are told', async () => {
  await using unlimited = await startTestApp({ DEFAULT_PLAN: 'unlimited' });
  const { id, accessToken: token } = await makeAccount(unlimited, 'selfhoster');
  const plan = { id, plan: 'unlimited' };
  expect((await unlimited.call('GET', '/user/plan', { token })).body).toEqual(plan);
  const told = await unlimited.db.query(
    `SELECT queue, data FROM outbox WHERE account_id = $1 AND event = 'plan.changed' ORDER BY queue`,
    [id],
  );
  expect(told).toEqual([
    { queue: 'inbox-links', data: { plan: 'unlimited' } },
    { queue: 'inbox-notes', data: { plan: 'unlimited' } },
    { queue: 'inbox-webhooks', data: { plan: 'unlimited' } },
  ]);
});
