import { afterAll, describe, expect, test } from 'vitest';
import { addTotp, passFirstStep, takeSecondStep } from '../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD, signIn, startTestApp, type TestAccount } from '../test-app.ts';
import { makeOperator } from './operator.fixture.ts';

const OPERATOR_EMAILS = 'grace@example.com,linus@example.com';
const lines: string[] = [];
const log = { write: (line: string) => void lines.push(line) };
const app = await startTestApp({ OPERATOR_EMAILS }, { log });
afterAll(() => app[Symbol.asyncDispose]());
const grace = await makeOperator(app, 'grace');

const reason = 'Links to malware';
const suspend = ({ id }: TestAccount) => grace.call('POST', `/${id}/suspend`, { reason });
const logIn = ({ email, device }: TestAccount) =>
  app.call('POST', '/auth/login', { body: { email, password: PASSWORD }, cookies: { device } });
const SUSPENDED = [403, { error: 'Account Suspended', message: 'This account is suspended' }];

async function activityOf(token: string) {
  const { body } = await app.call('GET', '/user/audit?category=operator', { token });
  return body['data'] as { kind: string; data: Record<string, unknown> }[];
}

describe('finding accounts', () => {
  const find = async (query: string) => {
    const { body } = await grace.call('GET', `?query=${encodeURIComponent(query)}`);
    return (body['data'] as { username: string }[]).map(({ username }) => username);
  };

  test('finds by id, and by how the username or the address begins, in any case', async () => {
    const { id } = await makeAccount(app, 'needle');
    await makeAccount(app, 'needles');
    expect(await find(id)).toEqual(['needle']);
    expect(await find('NEEDLE')).toEqual(['needles', 'needle']);
    expect(await find(' needle@EXAMPLE.com ')).toEqual(['needle']);
    expect(await find('eedle')).toEqual([]);
  });

  test('takes wildcards for what they are', async () => {
    await makeAccount(app, 'under_score');
    await makeAccount(app, 'underXscore');
    expect(await find('under_')).toEqual(['under_score']);
    expect(await find('%')).toEqual([]);
  });

  test('lists all accounts page by page, the newest first', async () => {
    const { id } = await makeAccount(app, 'newest');
    const first = await grace.call('GET', '?limit=1');
    expect(first.body['data']).toMatchObject([{ id, suspendedAt: null, activeSessions: 1 }]);
    const next = await grace.call('GET', `?limit=1&cursor=${String(first.body['nextCursor'])}`);
    expect(next.body['data']).not.toMatchObject([{ id }]);
  });

  test('returns 404 for an unknown account and 422 for a wrong cursor', async () => {
    expect((await grace.call('GET', '/usr_unknown')).status).toBe(404);
    expect((await grace.call('POST', '/usr_unknown/suspend', { reason })).status).toBe(404);
    expect((await grace.call('GET', '?cursor=x')).status).toBe(422);
  });
});

describe('a suspended account', () => {
  test('loses its sessions at once, and its refresh says why', async () => {
    const account = await makeAccount(app, 'ended');
    const { status, body } = await suspend(account);
    expect([status, body]).toMatchObject([
      200,
      { suspendedAt: expect.any(String), activeSessions: 0 },
    ]);
    const { accessToken: token, refreshToken } = account;
    expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
    const refresh = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
    expect([refresh.status, refresh.body['message']]).toEqual([401, 'This account is suspended']);
  });

  test('cannot log in, and only who has the password is told why', async () => {
    const account = await makeAccount(app, 'locked');
    await suspend(account);
    const answers = [await logIn(account), await logIn({ ...account, device: '' })];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([SUSPENDED, SUSPENDED]);
    expect(answers.flatMap(({ cookies }) => Object.keys(cookies))).not.toContain('refreshToken');
    const wrong = { email: account.email, password: 'a wrong guess' };
    expect((await app.call('POST', '/auth/login', { body: wrong })).status).toBe(401);
  });

  test('is told so only after its second factor', async () => {
    const account = await addTotp(app, await makeAccount(app, 'twofold'));
    await suspend(account);
    const mfaToken = await passFirstStep(app, account);
    const { status, body } = await takeSecondStep(app, mfaToken, { code: account.codes.next() });
    expect([status, body]).toEqual(SUSPENDED);
  });

  test('logs in again once it is unsuspended, and sees what happened', async () => {
    const account = await makeAccount(app, 'returned');
    await suspend(account);
    const { body } = await grace.call('POST', `/${account.id}/unsuspend`, { reason: 'A mistake' });
    expect(body).toMatchObject({ suspendedAt: null });
    const { accessToken } = await signIn(app, account);
    expect(await activityOf(accessToken)).toMatchObject([
      { kind: 'operator.unsuspended', data: { reason: 'A mistake' } },
      { kind: 'operator.suspended', data: { reason } },
    ]);
  });

  test('starts no session in logins at the same time', async () => {
    const account = await makeAccount(app, 'raced');
    await Promise.all([logIn(account), suspend(account), logIn(account), logIn(account)]);
    const where = { accountId: account.id, revokedAt: null };
    expect(await app.db.prisma.session.count({ where })).toBe(0);
  });
});

test('signs an account out everywhere, which may log in again', async () => {
  const account = await makeAccount(app, 'everywhere');
  const other = await signIn(app, account);
  expect((await grace.call('POST', `/${account.id}/sign-out`, { reason })).status).toBe(200);
  for (const { accessToken: token } of [account, other]) {
    expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
  }
  const { accessToken } = await signIn(app, account);
  expect(await activityOf(accessToken)).toMatchObject([{ kind: 'operator.signed_out' }]);
});

test('changes the plan, which the next access token carries and notes is told', async () => {
  const { id, refreshToken, accessToken } = await makeAccount(app, 'paying');
  const { body } = await grace.call('PATCH', `/${id}`, { plan: 'pro', reason });
  expect(body).toMatchObject({ id, plan: 'pro' });
  const refresh = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
  const payload = String(refresh.body['accessToken']).split('.')[1] ?? '';
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ plan: 'pro' });
  expect(await activityOf(accessToken)).toMatchObject([{ data: { plan: 'pro', reason } }]);
  const where = { accountId: id, queue: 'inbox-notes' };
  expect(await app.db.prisma.outboxEvent.findMany({ where })).toMatchObject([
    { data: { plan: 'pro' } },
  ]);
});

test('refuses what is done already, and suspending oneself', async () => {
  const { id } = await makeAccount(app, 'idle');
  const post = (path: string) => grace.call('POST', path, { reason });
  expect((await post(`/${id}/unsuspend`)).status).toBe(409);
  expect((await grace.call('PATCH', `/${id}`, { plan: 'free', reason })).status).toBe(409);
  await post(`/${id}/suspend`);
  expect((await post(`/${id}/suspend`)).status).toBe(409);
  expect((await post(`/${grace.id}/suspend`)).status).toBe(403);
});

test('does nothing without a reason', async () => {
  const { id, accessToken } = await makeAccount(app, 'reasonless');
  const attempts = [undefined, {}, { reason: '' }, { reason: '   ' }, { reason: 'x'.repeat(501) }];
  for (const action of ['suspend', 'unsuspend', 'sign-out']) {
    const answers = await Promise.all(
      attempts.map((body) => grace.call('POST', `/${id}/${action}`, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 422, 422, 422]);
  }
  expect((await grace.call('PATCH', `/${id}`, { plan: 'pro' })).status).toBe(400);
  expect(await activityOf(accessToken)).toEqual([]);
});

test('every action is in the history of the account and in the log, with the operator', async () => {
  const account = await makeAccount(app, 'audited');
  const { id } = account;
  lines.length = 0;
  await suspend(account);
  await grace.call('POST', `/${id}/unsuspend`, { reason: 'A mistake' });
  await grace.call('POST', `/${id}/sign-out`, { reason: 'A lost laptop' });
  await grace.call('PATCH', `/${id}`, { plan: 'pro', reason: 'Paid by invoice' });
  const { body } = await grace.call('GET', `/${id}/actions`);
  const operator = 'grace';
  expect(body['data']).toMatchObject([
    { kind: 'operator.plan_changed', operator, reason: 'Paid by invoice', plan: 'pro' },
    { kind: 'operator.signed_out', operator, reason: 'A lost laptop', plan: null },
    { kind: 'operator.unsuspended', operator, reason: 'A mistake' },
    { kind: 'operator.suspended', operator, reason },
  ]);
  const logged = lines.map((line): Record<string, unknown> => JSON.parse(line));
  const acted = logged.filter(({ securityEvent }) => String(securityEvent).startsWith('operator.'));
  expect(acted).toHaveLength(4);
  expect(acted).toEqual(
    acted.map(() =>
      expect.objectContaining({
        accountId: id,
        operator: expect.objectContaining({ accountId: grace.id, origin: expect.any(Object) }),
      }),
    ),
  );
});

test('shows the account neither who acted nor from where, and outlives the operator', async () => {
  const linus = await makeOperator(app, 'linus');
  const account = await makeAccount(app, 'curious');
  await linus.call('POST', `/${account.id}/sign-out`, { reason });
  const { accessToken: token } = await signIn(app, account);
  const { body } = await app.call('GET', '/user/audit?category=operator', { token });
  expect(JSON.stringify(body)).not.toContain(linus.id);
  expect(body['data']).toMatchObject([
    { sessionId: null, ipAddress: null, device: null, requestId: null },
  ]);
  await app.db.prisma.account.delete({ where: { id: linus.id } });
  const history = await grace.call('GET', `/${account.id}/actions`);
  expect(history.body['data']).toMatchObject([{ operator: null, reason }]);
});
