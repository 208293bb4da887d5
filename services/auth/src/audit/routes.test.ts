import { afterAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp, type TestAccount } from '../test-app.ts';
import { purgeAuditEvents } from './store.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

type AuditPage = {
  data: { id: string; kind: string; [field: string]: unknown }[];
  nextCursor: string | null;
};

async function list({ accessToken }: TestAccount, query = ''): Promise<AuditPage> {
  const { status, body } = await app.call('GET', `/user/audit${query}`, { token: accessToken });
  expect(status).toBe(200);
  return body as AuditPage;
}

test('lists what happened, from where, newest first', async () => {
  const account = await makeAccount(app, 'watched');
  await app.call('POST', '/auth/login', {
    body: { email: account.email, password: 'a wrong password' },
    headers: {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0',
      'x-request-id': 'req-watched',
    },
  });
  const { data, nextCursor } = await list(account);
  expect(data.map((event) => event.kind)).toEqual([
    'login.failed',
    'login.succeeded',
    'account.registered',
  ]);
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^aud_/),
    kind: 'login.failed',
    sessionId: null,
    ipAddress: '127.0.0.1',
    device: 'Firefox on Linux',
    userAgent: { browser: 'Firefox', os: 'Linux' },
    requestId: 'req-watched',
    data: {},
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(data[1]?.['sessionId']).toMatch(/^ses_/);
  expect(nextCursor).toBeNull();
});

test('pages are stable when events are added between them', async () => {
  const account = await makeAccount(app, 'paged');
  for (let count = 0; count < 3; count += 1) {
    await signIn(app, account);
  }
  const all = (await list(account)).data.map((event) => event.id);
  const first = await list(account, '?limit=2');
  await signIn(app, account);
  const second = await list(account, `?limit=2&cursor=${first.nextCursor}`);
  const third = await list(account, `?limit=2&cursor=${second.nextCursor}`);
  const seen = [first, second, third].flatMap((page) => page.data.map((event) => event.id));
  expect(seen).toEqual(all);
  expect(third.nextCursor).toBeNull();
  for (const cursor of ['x', Buffer.from('[1]').toString('base64url')]) {
    const { status } = await app.call('GET', `/user/audit?cursor=${cursor}`, {
      token: account.accessToken,
    });
    expect(status).toBe(422);
  }
});

test('filters by category and kind', async () => {
  const account = await makeAccount(app, 'filtered');
  await app.call('POST', '/auth/forgot-password', { body: { email: account.email } });
  const kinds = async (query: string) => (await list(account, query)).data.map(({ kind }) => kind);
  expect(await kinds('?category=session')).toEqual(['login.succeeded']);
  expect(await kinds('?category=password')).toEqual(['password.reset_requested']);
  expect(await kinds('?kind=account.registered')).toEqual(['account.registered']);
  expect(await kinds('?category=email&kind=account.registered')).toEqual([]);
});

test('filters by time, across pages', async () => {
  const account = await makeAccount(app, 'timed');
  const daysAgo = [1, 2, 3, 4, 5];
  for (const days of daysAgo) {
    app.clock.advanceMs = -days * 86_400_000;
    await app.call('POST', '/auth/forgot-password', { body: { email: account.email } });
  }
  app.clock.advanceMs = 0;
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const query = `from=${at(4.5)}&to=${at(1.5)}&limit=2`;
  const first = await list(account, `?${query}`);
  const second = await list(account, `?${query}&cursor=${first.nextCursor}`);
  const ages = [...first.data, ...second.data].map(({ createdAt }) =>
    Math.round((Date.now() - Date.parse(String(createdAt))) / 86_400_000),
  );
  expect([ages, second.nextCursor]).toEqual([[2, 3, 4], null]);
});

test('returns 422 for an unknown category, kind or time', async () => {
  const { accessToken: token } = await makeAccount(app, 'mistaken');
  for (const query of ['category=pets', 'kind=login', 'from=yesterday']) {
    expect((await app.call('GET', `/user/audit?${query}`, { token })).status).toBe(422);
  }
});

test('does not list the events of another account', async () => {
  const [one, other] = [await makeAccount(app, 'one'), await makeAccount(app, 'other')];
  const ids = (await list(one)).data.map((event) => event.id);
  expect((await list(other)).data.filter((event) => ids.includes(event.id))).toEqual([]);
  expect((await app.call('GET', '/user/audit')).status).toBe(401);
});

test('an action that fails leaves no event', async () => {
  const account = await makeAccount(app, 'unfinished');
  await app.call('PATCH', '/user/me', {
    token: account.accessToken,
    body: { username: 'one' },
  });
  await app.call('POST', '/user/change-password', {
    token: account.accessToken,
    body: { currentPassword: PASSWORD, newPassword: 'iloveyou' },
  });
  expect((await list(account)).data.map((event) => event.kind)).toEqual([
    'login.succeeded',
    'account.registered',
  ]);
});

test('a login with an unknown address is an event without an account', async () => {
  const body = { email: 'unknown@example.com', password: PASSWORD };
  await app.call('POST', '/auth/login', { body, headers: { 'x-request-id': 'req-unknown' } });
  const rows = await app.db.query(
    `SELECT kind, account_id, data FROM audit_events WHERE request_id = 'req-unknown'`,
  );
  expect(rows).toEqual([{ kind: 'login.failed', account_id: null, data: {} }]);
});

test('purges old events in batches and keeps newer ones', async () => {
  const account = await makeAccount(app, 'aged');
  await app.db.query(
    `INSERT INTO audit_events (id, account_id, kind, created_at)
     SELECT 'aud_old' || n, $1, 'logout', now() - interval '2 years'
     FROM generate_series(1, 25) n`,
    [account.id],
  );
  const before = new Date(Date.now() - 365 * 86_400_000);
  const counts: number[] = [];
  do {
    counts.push(await purgeAuditEvents(app.db, { before, limit: 10 }));
  } while (counts.at(-1) === 10);
  expect(counts).toEqual([10, 10, 5]);
  expect((await list(account)).data).toHaveLength(2);
});
