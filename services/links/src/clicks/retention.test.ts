import { newId } from '@atrium/contracts/ids';
import { readConfig } from '@atrium/service-kit/config';
import { createLogger } from '@atrium/service-kit/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LinksConfig } from '../config.ts';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick } from './click.fixture.ts';
import { expireClicks, trimClicks } from './retention.ts';

const DAY_MS = 86_400_000;
const { signal } = new AbortController();
const { CLICK_RETENTION_DAYS } = readConfig(LinksConfig, {
  PORT: '0',
  METRICS_PORT: '0',
  DATABASE_URL: 'postgres://',
  REDIS_URL: 'redis://',
  AUTH_URL: 'http://auth.example',
  LINKS_URL: 'http://links.example',
});

let platform: TestPlatform;
let replica: Replica;
beforeAll(async () => {
  platform = await startTestPlatform();
  replica = await platform.replica();
});
afterAll(() => platform[Symbol.asyncDispose]());

async function newLink() {
  const ownerId = newId('usr');
  const call = platform.as({ sub: ownerId })(replica);
  const { body } = await call('POST', '/api/links', { url: 'https://example.com/' });
  const [linkId, slug] = [String(body['id']), String(body['slug'])];
  const store = (clickedAtMs: number, clicks: number, isBot = false) =>
    platform.store.storeAll(
      Array.from({ length: clicks }, () =>
        exampleClick({ linkId, ownerId, slug, clickedAtMs, isBot }),
      ),
    );
  const clicks = async () => (await call('GET', `/api/links/${linkId}`)).body['clicks'];
  return { linkId, ownerId, store, clicks };
}

const expire = (atMs = Date.now()) =>
  expireClicks(
    {
      database: platform.database,
      logger: createLogger({ service: 'test', level: 'silent' }),
      retentionDays: CLICK_RETENTION_DAYS,
      clockMs: () => atMs,
    },
    signal,
  );
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

test('keeps daily totals of people and bots once clicks are older than 400 days', async () => {
  const { linkId, store, clicks } = await newLink();
  const nowMs = Date.now();
  const [expiredMs, keptMs] = [nowMs - 410 * DAY_MS, nowMs - 399 * DAY_MS];
  // More than one batch.
  await store(expiredMs, 2_500);
  await store(expiredMs, 3, true);
  await store(expiredMs - DAY_MS, 2, true);
  await store(keptMs, 4);
  await expire();
  // A click that another process stores later adds to the total of its day.
  await store(expiredMs, 1);
  await expire();
  const totals = await platform.database.query(
    `SELECT day::text, people::integer, bots::integer FROM daily_clicks
     WHERE link_id = $1 ORDER BY day`,
    [linkId],
  );
  expect(totals).toEqual([
    { day: dayOf(expiredMs - DAY_MS), people: 0, bots: 2 },
    { day: dayOf(expiredMs), people: 2_501, bots: 3 },
    { day: dayOf(keptMs), people: 4, bots: 0 },
  ]);
  expect(await platform.database.prisma.click.count({ where: { linkId } })).toBe(4);
  expect(await clicks()).toBe(2_505);
});

test('drops a partition of clicks that are older than 400 days', async () => {
  const { linkId, store, clicks } = await newLink();
  const nowMs = Date.now();
  await expire();
  await store(nowMs, 3);
  const stored = () =>
    platform.database.query(
      'SELECT DISTINCT tableoid::regclass::text AS name FROM clicks WHERE link_id = $1',
      [linkId],
    );
  const [partition] = await stored();
  expect(partition?.['name']).toMatch(/^clicks_\d{4}_\d\d_\d\d$/);
  // It lasts 80 days.
  await expire(nowMs + 470 * DAY_MS);
  expect(await stored()).toEqual([partition]);
  await expire(nowMs + 481 * DAY_MS);
  expect(await stored()).toEqual([]);
  const names = "SELECT 1 FROM pg_class WHERE relname = $1 AND relkind = 'r'";
  expect(await platform.database.query(names, [partition?.['name']])).toEqual([]);
  expect(await clicks()).toBe(3);
});

test('stores clicks of the same links while old ones expire, without a deadlock', async () => {
  const links = await Promise.all(Array.from({ length: 10 }, newLink));
  const oldMs = Date.now() - 500 * DAY_MS;
  await Promise.all(links.map(({ store }) => store(oldMs, 300)));
  await Promise.all([expire(), ...links.map(({ store }) => store(Date.now(), 50))]);
  expect(await Promise.all(links.map(({ clicks }) => clicks()))).toEqual(links.map(() => 350));
});

test('keeps as many single clicks of an owner as the plan says, the newest, and all totals', async () => {
  const { linkId, ownerId, store, clicks } = await newLink();
  const other = await newLink();
  await other.store(Date.now() - 2 * DAY_MS, 2);
  await store(Date.now(), 10);
  // More than one batch.
  await store(Date.now() - DAY_MS, 2_500);
  // As if 500 of those that were stored had expired.
  const where = { accountId: ownerId };
  await platform.database.prisma.owner.update({ where, data: { clickCount: 3_010 } });
  await trimClicks(platform.database, signal, { free: 12, pro: 100, unlimited: null });
  const kept = await platform.database.prisma.click.findMany({ where: { linkId } });
  const isNew = ({ clickedAt }: { clickedAt: Date }) =>
    clickedAt.getTime() > Date.now() - DAY_MS / 2;
  expect([kept.length, kept.filter(isNew).length]).toEqual([12, 10]);
  expect([await clicks(), await other.clicks()]).toEqual([2_510, 2]);
  expect(await platform.database.prisma.click.count({ where: { linkId: other.linkId } })).toBe(2);
  expect((await platform.database.prisma.owner.findUnique({ where }))?.clickCount).toBe(12n);
});

test('counts the stored clicks of each owner', async () => {
  const [first, second] = [await newLink(), await newLink()];
  const clicks = [first, second, second].map(({ linkId, ownerId }) =>
    exampleClick({ linkId, ownerId }),
  );
  await platform.store.storeAll(clicks);
  // A click that is stored twice counts once.
  await platform.store.storeAll(clicks);
  const owners = await platform.database.prisma.owner.findMany({
    where: { accountId: { in: [first.ownerId, second.ownerId] } },
    orderBy: { clickCount: 'asc' },
  });
  expect(owners.map(({ clickCount }) => clickCount)).toEqual([1n, 2n]);
});
