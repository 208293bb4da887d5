import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleClick } from '../clicks/click.fixture.ts';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { purgeDeletedLinks } from './purge.ts';

let platform: TestPlatform;
let replicas: [Replica, Replica];
beforeAll(async () => {
  platform = await startTestPlatform();
  replicas = [await platform.replica(), await platform.replica()];
});
afterAll(() => platform[Symbol.asyncDispose]());

const url = 'https://example.com/';
const { signal } = new AbortController();

/** An account that has so many links already. */
async function startOwner(links: number, plan: 'free' | 'pro' | 'unlimited' = 'free') {
  const id = newId('usr');
  const as = platform.as({ sub: id, plan });
  await as(replicas[0])('POST', '/api/links', { url });
  await platform.database.prisma.owner.update({
    where: { accountId: id },
    data: { linkCount: links },
  });
  return { id, as, call: as(replicas[0]) };
}

describe('the number of links', () => {
  test.each([
    ['free', 1_000],
    ['pro', 100_000],
  ] as const)('of the plan %s is at most %i, also in parallel requests', async (plan, limit) => {
    const { as, call } = await startOwner(limit - 3, plan);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        as(n % 2 === 0 ? replicas[0] : replicas[1])('POST', '/api/links', { url }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = { error: 'Plan Limit Exceeded', message: `Your plan allows ${limit} links` };
    expect(answers.find(({ status }) => status !== 201)).toEqual({ status: 403, body: refused });
    expect((await call('GET', '/api/links/usage')).body).toEqual({ links: { used: limit, limit } });
  });

  test('of the plan unlimited has no limit', async () => {
    const { call } = await startOwner(10_000_000, 'unlimited');
    expect((await call('POST', '/api/links', { url })).status).toBe(201);
    const links = { used: 10_000_001, limit: null };
    expect((await call('GET', '/api/links/usage')).body).toEqual({ links });
  });

  test('counts a link until it is deleted, once', async () => {
    const { as, call } = await startOwner(PLAN_LIMITS.free.links - 1);
    const { body } = await call('POST', '/api/links', { url });
    expect((await call('POST', '/api/links', { url })).status).toBe(403);
    const path = `/api/links/${String(body['id'])}`;
    const deleted = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        as(n % 2 === 0 ? replicas[0] : replicas[1])('DELETE', path),
      ),
    );
    expect(deleted.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await call('POST', '/api/links', { url })).status).toBe(201);
    expect((await call('POST', '/api/links', { url })).status).toBe(403);
  });

  test('does not count a link whose slug is taken', async () => {
    const { call } = await startOwner(1);
    const body = { url, slug: 'counted-once' };
    expect((await call('POST', '/api/links', body)).status).toBe(201);
    expect((await call('POST', '/api/links', body)).status).toBe(409);
    expect((await call('GET', '/api/links/usage')).body).toMatchObject({ links: { used: 2 } });
  });

  test('is 0 for an account without links', async () => {
    const { body } = await platform.as()(replicas[0])('GET', '/api/links/usage');
    expect(body).toEqual({ links: { used: 0, limit: 1_000 } });
  });

  test('an account creates at most as many links a day as its plan allows', async () => {
    const { id, call } = await startOwner(1);
    const [first] = replicas;
    // As after the last of them.
    const key = (await first.redis.keys(`*:link-creations:${id}`))[0] ?? '';
    const arrivalMs = Date.now() + 86_400_000;
    await first.redis.set(key, `${arrivalMs} ${Date.now()}`);
    expect((await call('POST', '/api/links', { url })).status).toBe(429);
  });
});

describe('a deleted link', () => {
  const purge = () => purgeDeletedLinks(platform.database, signal);
  const moveBack = (id: string, interval: string) =>
    platform.database.query(
      `UPDATE links SET deleted_at = deleted_at - $2::interval, purge_at = purge_at - $2::interval
       WHERE id = $1`,
      [id, interval],
    );

  async function deletedLink(slug: string, clicks: number) {
    const { id: ownerId, call } = await startOwner(1);
    const { body } = await call('POST', '/api/links', { url, slug });
    const link = { linkId: String(body['id']), ownerId, slug, url };
    const store = (count: number) =>
      platform.store.storeAll(Array.from({ length: count }, () => exampleClick(link)));
    if (clicks > 0) await store(clicks);
    expect((await call('DELETE', `/api/links/${link.linkId}`)).status).toBe(204);
    const stored = () => platform.database.prisma.click.count({ where: { linkId: link.linkId } });
    const days = () =>
      platform.database.prisma.dailyClicks.count({ where: { linkId: link.linkId } });
    return { id: link.linkId, call, store, stored, days };
  }

  test('is purged with its clicks, of which late ones are still stored for ten minutes', async () => {
    // More than one batch.
    const link = await deletedLink('purged-soon', 2_500);
    await purge();
    await link.store(1);
    expect(await link.stored()).toBe(2_501);
    await moveBack(link.id, '11 minutes');
    await link.store(1);
    expect(await link.stored()).toBe(2_501);
    await purge();
    await link.store(1);
    expect([await link.stored(), await link.days()]).toEqual([0, 0]);
    expect(
      await platform.database.prisma.link.findUnique({ where: { id: link.id } }),
    ).toMatchObject({
      slug: 'purged-soon',
      ownerId: null,
      url: null,
    });
  });

  test('gives its slug to nobody for 30 days', async () => {
    const link = await deletedLink('kept-for-long', 1);
    const other = platform.as()(replicas[1]);
    const create = () => other('POST', '/api/links', { url, slug: 'kept-for-long' });
    await moveBack(link.id, '29 days 23 hours');
    await purge();
    expect((await create()).status).toBe(409);
    const { body } = await other('POST', '/api/links', { url });
    const renamed = await other('PATCH', `/api/links/${String(body['id'])}`, {
      slug: 'kept-for-long',
    });
    expect(renamed.status).toBe(409);
    expect((await replicas[0].follow('kept-for-long')).status).toBe(404);
    await moveBack(link.id, '2 hours');
    await purge();
    expect((await create()).status).toBe(201);
  });
});
