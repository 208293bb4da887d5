import { newId } from '@atrium/contracts/ids';
import { purgeIdempotencyKeys } from '@atrium/service-kit/idempotency-store';
import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, newWorkspace, startTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

const KEY = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };
const PATH = '/api/workspaces';
const BODY = { name: 'Once', description: '' };
const REPLAYED = { 'idempotent-replayed': 'true' };

function newCaller(): { accountId: string; call: Caller } {
  const accountId = newId('usr');
  return { accountId, call: app.as({ sub: accountId }) };
}

/** How many workspaces the account has. */
async function count(call: Caller): Promise<number> {
  const { body } = await call('GET', PATH);
  return Object(body['data']).length;
}

const age = (accountId: string, interval: string) =>
  app.database.query(
    'UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE account_id = $1',
    [accountId, interval],
  );

test('repeats the first response for the same key and request, and creates once', async () => {
  const { call } = newCaller();
  const first = await call('POST', PATH, BODY, KEY);
  const second = await call('POST', PATH, BODY, KEY);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect(first.headers).not.toHaveProperty('idempotent-replayed');
  expect(second.headers).toMatchObject(REPLAYED);
  expect(await count(call)).toBe(1);
});

test('repeats the entity tag of a note, and the note as it was created', async () => {
  const { call } = newCaller();
  const path = `${PATH}/${await newWorkspace(call)}/notes`;
  const note = { title: 'Once', content: 'Written once' };
  const first = await call('POST', path, note, KEY);
  await call(
    'PATCH',
    `/api/notes/${String(first.body['id'])}`,
    { title: 'Later' },
    { 'if-match': '*' },
  );
  const second = await call('POST', path, note, KEY);
  expect(second).toMatchObject({ status: 201, body: first.body });
  expect(second.headers).toMatchObject({ ...REPLAYED, etag: first.headers['etag'] });
});

test('stores nothing of a note that its request repeats', async () => {
  const { accountId, call } = newCaller();
  const path = `${PATH}/${await newWorkspace(call)}/notes`;
  const note = { title: 'A private title', content: 'A private text', tags: ['private-tag'] };
  const first = await call('POST', path, note, KEY);
  const [row] = await app.database.query<{ response: string }>(
    'SELECT response FROM idempotency_keys WHERE account_id = $1',
    [accountId],
  );
  expect(row?.response).toContain(first.body['id']);
  expect(row?.response).not.toMatch(/private/);
  expect((await call('POST', path, note, KEY)).body).toEqual(first.body);
});

test.each([
  ['another body', PATH, { ...BODY, name: 'Other' }],
  ['another path', `${PATH}?again`, BODY],
])('returns 422 for the key of a request with %s', async (_what, path, body) => {
  const { call } = newCaller();
  await call('POST', PATH, BODY, KEY);
  expect(await call('POST', path, body, KEY)).toMatchObject({
    status: 422,
    body: { error: 'Validation Error', message: 'Idempotency-Key was used for another request' },
  });
  expect(await count(call)).toBe(1);
});

test('returns 422 for a key that is not visible ASCII', async () => {
  const { call } = newCaller();
  for (const key of ['', 'two words', 'x'.repeat(256)]) {
    const answer = await call('POST', PATH, BODY, { 'idempotency-key': key });
    expect(answer).toMatchObject({ status: 422 });
  }
  expect(await count(call)).toBe(0);
});

test('keeps the keys of two accounts apart', async () => {
  const [ada, eve] = [newCaller(), newCaller()];
  const ids = [];
  for (const { call } of [ada, eve]) ids.push((await call('POST', PATH, BODY, KEY)).body['id']);
  expect(new Set(ids).size).toBe(2);
});

test('stores no error, so that the request can be sent again', async () => {
  const { call } = newCaller();
  for (let i = 0; i < 5; i += 1) await newWorkspace(call, `Work ${i}`);
  expect(await call('POST', PATH, BODY, KEY)).toMatchObject({ status: 403 });
  const { body } = await call('GET', PATH);
  await call('DELETE', `${PATH}/${Object(body['data'])[0].id}`);
  const answer = await call('POST', PATH, BODY, KEY);
  expect(answer.status).toBe(201);
  expect(answer.headers).not.toHaveProperty('idempotent-replayed');
});

test('creates nothing when its response cannot be stored', async () => {
  const { call } = newCaller();
  await app.database.query(
    "ALTER TABLE idempotency_keys ADD CONSTRAINT refused CHECK (key <> 'refused') NOT VALID",
  );
  expect(await call('POST', PATH, BODY, { 'idempotency-key': 'refused' })).toMatchObject({
    status: 500,
  });
  expect(await count(call)).toBe(0);
});

test('creates once for 50 parallel requests with one key', async () => {
  const { call } = newCaller();
  // Opens every connection, or the requests would run one by one on the first of them.
  await Promise.all(
    Array.from({ length: 10 }, () => app.database.query('SELECT pg_sleep(0.2)::text')),
  );
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call('POST', PATH, BODY, KEY)),
  );
  expect(await count(call)).toBe(1);
  const created = answers.filter(({ status }) => status === 201);
  const originals = created.filter(({ headers }) => !('idempotent-replayed' in headers));
  expect(originals).toHaveLength(1);
  for (const { body } of created) expect(body).toEqual(originals[0]?.body);
  for (const { status, body, headers } of answers.filter((each) => each.status !== 201)) {
    expect(body).toEqual({
      error: 'Conflict',
      message: 'A request with this Idempotency-Key is in progress',
    });
    expect([status, headers['retry-after']]).toEqual([409, '1']);
  }
  expect(await call('POST', PATH, BODY, KEY)).toMatchObject({
    status: 201,
    body: originals[0]?.body,
    headers: REPLAYED,
  });
});

test('returns 409 while the first request is in progress, and its response afterwards', async () => {
  const { accountId, call } = newCaller();
  await newWorkspace(call);
  let first: ReturnType<Caller> | undefined;
  await app.database.transaction({ job: 'test' }, async (tx) => {
    // The creation waits for this lock.
    await tx.query('SELECT 1 FROM owners WHERE account_id = $1 FOR UPDATE', [accountId]);
    first = call('POST', PATH, BODY, KEY);
    await untilBlocked(app.database);
    expect(await call('POST', PATH, BODY, KEY)).toMatchObject({ status: 409 });
  });
  expect(await first).toMatchObject({ status: 201 });
  expect(await call('POST', PATH, BODY, KEY)).toMatchObject({ status: 201, headers: REPLAYED });
});

test('forgets a key after 24 hours', async () => {
  const { accountId, call } = newCaller();
  const first = await call('POST', PATH, BODY, KEY);
  await age(accountId, '23 hours 59 minutes');
  expect((await call('POST', PATH, BODY, KEY)).body).toEqual(first.body);
  await age(accountId, '24 hours');
  const later = await call('POST', PATH, { ...BODY, name: 'Other' }, KEY);
  expect(later).toMatchObject({ status: 201, body: { name: 'Other' } });
  expect(await count(call)).toBe(2);
});

test('purges the keys that have expired', async () => {
  const [old, young] = [newCaller(), newCaller()];
  for (const { call } of [old, young]) await call('POST', PATH, BODY, KEY);
  await age(old.accountId, '24 hours 1 second');
  await purgeIdempotencyKeys(app.database, AbortSignal.timeout(10_000));
  const rows = await app.database.query(
    'SELECT account_id AS id FROM idempotency_keys WHERE account_id = ANY ($1)',
    [[old.accountId, young.accountId]],
  );
  expect(rows).toEqual([{ id: young.accountId }]);
});

test('documents the header and its responses', async () => {
  const { paths } = (await app.server.inject('/openapi.json')).json();
  const { parameters, responses } = paths[PATH].post;
  expect(parameters).toContainEqual(
    expect.objectContaining({ in: 'header', name: 'idempotency-key', required: false }),
  );
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['409', '422']));
});
