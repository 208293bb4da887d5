import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';

let platform: TestPlatform;
let replicas: [Replica, Replica];
beforeAll(async () => {
  platform = await startTestPlatform();
  replicas = [await platform.replica(), await platform.replica()];
});
afterAll(() => platform[Symbol.asyncDispose]());

const KEY = { 'idempotency-key': 'once' };
const linksOf = (ownerId: string) => platform.database.prisma.link.count({ where: { ownerId } });

test('creates one link for 50 parallel requests with one key to two processes', async () => {
  const ownerId = newId('usr');
  const as = platform.as({ sub: ownerId });
  const create = (n: number) =>
    as(n % 2 === 0 ? replicas[0] : replicas[1])(
      'POST',
      '/api/links',
      { url: 'https://example.com/' },
      KEY,
    );
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create(n)));
  expect(await linksOf(ownerId)).toBe(1);
  const last = await create(0);
  expect(last.status).toBe(201);
  for (const { status, body } of answers) {
    expect(status === 201 ? body : status).toEqual(status === 201 ? last.body : 409);
  }
});

test('repeats the response when the slug would be taken now', async () => {
  const call = platform.as()(replicas[0]);
  const body = { url: 'https://example.com/', slug: 'once-only' };
  const first = await call('POST', '/api/links', body, KEY);
  expect(await call('POST', '/api/links', body)).toMatchObject({ status: 409 });
  expect(await call('POST', '/api/links', body, KEY)).toEqual({ status: 201, body: first.body });
});

test('can be repeated, and makes one link, when the result of the COMMIT is lost', async () => {
  const ownerId = newId('usr');
  const [replica] = replicas;
  const call = platform.as({ sub: ownerId })(replica);
  const body = { url: 'https://example.com/' };
  replica.outages.postgres.loseAnswerTo('COMMIT');
  expect(await call('POST', '/api/links', body, KEY)).toMatchObject({ status: 503 });
  expect(await linksOf(ownerId)).toBe(1);
  expect(await call('POST', '/api/links', body, KEY)).toMatchObject({ status: 201 });
  expect(await linksOf(ownerId)).toBe(1);
});

test('says that nobody knows the outcome when the result of the COMMIT is lost without a key', async () => {
  const ownerId = newId('usr');
  const [replica] = replicas;
  replica.outages.postgres.loseAnswerTo('COMMIT');
  const created = await platform.as({ sub: ownerId })(replica)('POST', '/api/links', {
    url: 'https://example.com/',
  });
  expect(created).toMatchObject({ status: 500, body: { error: 'Internal Server Error' } });
  expect(await linksOf(ownerId)).toBe(1);
});
