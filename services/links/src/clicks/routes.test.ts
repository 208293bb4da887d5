import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick } from './click.fixture.ts';

const NOW_MS = Date.parse('2026-03-02T00:30:00.000Z');
const DAY_MS = 86_400_000;

let platform: TestPlatform;
let replica: Replica;
beforeAll(async () => {
  platform = await startTestPlatform();
  replica = await platform.replica(NOW_MS);
});
afterAll(() => platform[Symbol.asyncDispose]());

async function newLink() {
  const ownerId = newId('usr');
  const call = platform.as({ sub: ownerId })(replica);
  const { body } = await call('POST', '/api/links', { url: 'https://example.com/' });
  const [linkId, slug] = [String(body['id']), String(body['slug'])];
  const clickAt = (clickedAtMs: number, isBot = false) =>
    exampleClick({ linkId, ownerId, slug, clickedAtMs, isBot });
  return { call, clickAt, path: `/api/links/${linkId}`, clicksPath: `/api/links/${linkId}/clicks` };
}

describe('GET /api/links/{id}/clicks', () => {
  test('counts people and bots by day in UTC, days without clicks included', async () => {
    const { call, clickAt, clicksPath } = await newLink();
    const today = clickAt(NOW_MS);
    await platform.store.storeAll([today, clickAt(NOW_MS, true), clickAt(NOW_MS - DAY_MS)]);
    // A click that is stored twice counts once.
    await platform.store.storeAll([today, clickAt(NOW_MS), clickAt(NOW_MS - 3 * DAY_MS)]);
    expect((await call('GET', `${clicksPath}?days=3`)).body).toEqual({
      data: [
        { day: '2026-02-28', people: 0, bots: 0 },
        { day: '2026-03-01', people: 1, bots: 0 },
        { day: '2026-03-02', people: 2, bots: 1 },
      ],
    });
    expect((await call('GET', clicksPath)).body['data']).toHaveLength(30);
  });

  test.each(['0', '91', 'x'])('refuses %s days', async (days) => {
    const { call, clicksPath } = await newLink();
    expect((await call('GET', `${clicksPath}?days=${days}`)).status).toBeGreaterThanOrEqual(400);
  });

  test('returns 404 for a link of another account and for a deleted one', async () => {
    const missing = { status: 404, body: { error: 'Not Found', message: 'Link not found' } };
    const { call, path, clicksPath } = await newLink();
    expect(await platform.as()(replica)('GET', clicksPath)).toEqual(missing);
    await call('DELETE', path);
    expect(await call('GET', clicksPath)).toEqual(missing);
  });
});

describe('GET /api/links/clicks', () => {
  test('counts the clicks on all links of the account, and names the best ones', async () => {
    const { call, clickAt, path } = await newLink();
    const other = await call('POST', '/api/links', { url: 'https://example.com/other' });
    const [linkId, slug] = [String(other.body['id']), String(other.body['slug'])];
    const elsewhere = (clickedAtMs: number) => ({ ...clickAt(clickedAtMs), linkId, slug });
    await platform.store.storeAll([
      clickAt(NOW_MS),
      clickAt(NOW_MS, true),
      clickAt(NOW_MS - 20 * DAY_MS),
      clickAt(NOW_MS - 20 * DAY_MS),
      elsewhere(NOW_MS),
      elsewhere(NOW_MS - DAY_MS),
    ]);
    const foreign = await newLink();
    await platform.store.storeAll([foreign.clickAt(NOW_MS)]);
    const id = path.replace('/api/links/', '');
    const { body: link } = await call('GET', path);
    expect((await call('GET', '/api/links/clicks?days=2')).body).toEqual({
      total: 5,
      data: [
        { day: '2026-03-01', people: 1, bots: 0 },
        { day: '2026-03-02', people: 2, bots: 1 },
      ],
      best: [
        { id: linkId, slug, people: 2 },
        { id, slug: link['slug'], people: 1 },
      ],
    });
    await call('DELETE', path);
    expect((await call('GET', '/api/links/clicks?days=2')).body).toMatchObject({
      total: 2,
      best: [{ id: linkId }],
    });
  });

  test('is read once at a time by one account, and twenty of its requests wait', async () => {
    const call = platform.as()(replica);
    const statuses = await platform.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query('LOCK TABLE daily_clicks IN ACCESS EXCLUSIVE MODE');
      let refused = 0;
      const requests = Array.from({ length: 25 }, async () => {
        const { status } = await call('GET', '/api/links/clicks');
        if (status === 429) refused += 1;
        return status;
      });
      await expect.poll(() => refused).toBe(4);
      return requests;
    });
    expect((await Promise.all(statuses)).filter((status) => status !== 429)).toHaveLength(21);
  });

  test('has nothing to count for a new account', async () => {
    const { body } = await platform.as()(replica)('GET', '/api/links/clicks');
    expect(body).toMatchObject({ total: 0, best: [] });
    expect(body['data']).toHaveLength(30);
  });
});
