import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { recordPlan } from '@atrium/service-kit/owner-plans';
import { createLogger } from '@atrium/service-kit/logger';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { testRedis } from '@atrium/testkit/redis';
import type { TokenOptions } from '@atrium/testkit/tokens';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick, VISITOR } from './click.fixture.ts';
import { CLICK_LIMIT, createClickJournal, ownerClickLimits } from './journal.ts';

const OVER = 15;
const FLOOD = CLICK_LIMIT.limit + OVER;
const logger = createLogger({ service: 'links', level: 'silent' });

let platform: TestPlatform;
let first: Replica;
let second: Replica;
beforeAll(async () => {
  platform = await startTestPlatform();
  // The clock stands still, so that a slow machine does not refill the limit.
  const nowMs = Date.now();
  [first, second] = await Promise.all([platform.replica(nowMs), platform.replica(nowMs)]);
});
afterAll(() => platform[Symbol.asyncDispose]());

async function newLink(owner: TokenOptions = {}): Promise<{ id: string; slug: string }> {
  const call = platform.as({ sub: newId('usr'), ...owner })(first);
  const { body } = await call('POST', '/api/links', { url: 'https://example.com/' });
  const link = { id: String(body['id']), slug: String(body['slug']) };
  await Promise.all(
    [first, second].map((replica) =>
      replica.server.inject({
        method: 'HEAD',
        url: `/${link.slug}`,
      }),
    ),
  );
  return link;
}

async function follow(replica: Replica, slug: string, times: number, address: string) {
  for (let n = 0; n < times; n++) {
    expect((await replica.follow(slug, undefined, address)).status).toBe(302);
  }
}

async function untilRecorded(linkId: string, expected: number): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await platform.database.query(
      `SELECT (SELECT clicks::integer FROM links WHERE id = $1) AS counted,
         (SELECT count(*)::integer FROM clicks WHERE link_id = $1) AS stored,
         (SELECT count(*)::integer FROM outbox WHERE data ->> 'linkId' = $1) AS emitted`,
      [linkId],
    );
    expect(row).toEqual({ counted: expected, stored: expected, emitted: expected });
  }, 30_000);
}

describe('the click limit', () => {
  test('redirects every click and records those within the limit of owner and IP address', async () => {
    const sub = newId('usr');
    const { id, slug } = await newLink({ sub });
    const sibling = await newLink({ sub });
    const other = await newLink();
    const before = (await first.clicksOverLimit()) + (await second.clicksOverLimit());
    await Promise.all([
      follow(first, slug, CLICK_LIMIT.limit, '203.0.113.1'),
      follow(second, slug, OVER, '203.0.113.1'),
    ]);
    await follow(first, slug, 3, '203.0.113.2');
    await follow(first, sibling.slug, OVER, '203.0.113.1');
    await follow(first, other.slug, 2, '203.0.113.1');
    await untilRecorded(id, CLICK_LIMIT.limit + 3);
    await untilRecorded(sibling.id, 0);
    await untilRecorded(other.id, 2);
    const over = async () => (await first.clicksOverLimit()) + (await second.clicksOverLimit());
    await expect.poll(async () => (await over()) - before).toBe(2 * OVER);
  });

  test('records the clicks on all links of an owner within the limit of the plan', async () => {
    const sub = newId('usr');
    const links = [await newLink({ sub }), await newLink({ sub })];
    const before = await first.clicksOverLimit();
    const perAddress = PLAN_LIMITS.free.clicksPerMinute / 4;
    for (const { slug } of links) {
      await follow(first, slug, perAddress, '203.0.113.5');
      await follow(first, slug, perAddress, '203.0.113.6');
    }
    for (const { slug } of links) await follow(first, slug, OVER, '203.0.113.7');
    for (const { id } of links) await untilRecorded(id, 2 * perAddress);
    await expect.poll(async () => (await first.clicksOverLimit()) - before).toBe(2 * OVER);
  });

  test('follows the plan of the owner as auth says it', async () => {
    const sub = newId('usr');
    const { id, slug } = await newLink({ sub });
    await recordPlan(platform.database, {
      id: newId('msg'),
      kind: 'plan.changed',
      accountId: sub,
      createdAt: new Date().toISOString(),
      data: { plan: 'pro' },
    });
    const usage = await platform.as({ sub })(first)('GET', '/api/links/usage');
    expect(usage.body).toEqual({ links: { used: 1, limit: 100_000 } });
    // The next redirect reads the link, and with it the plan of its owner.
    second.forget(slug);
    const perAddress = PLAN_LIMITS.free.clicksPerMinute / 2;
    for (const address of ['203.0.113.5', '203.0.113.6', '203.0.113.7']) {
      await follow(second, slug, perAddress, address);
    }
    await untilRecorded(id, 3 * perAddress);
  });

  test('limits by what the process has seen while Redis is away', async () => {
    const { id, slug } = await newLink();
    await first.outages.redis.begin();
    const before = await first.clicksOverLimit();
    await follow(first, slug, FLOOD, '203.0.113.3');
    await first.outages.redis.end();
    await untilRecorded(id, CLICK_LIMIT.limit);
    await expect.poll(async () => (await first.clicksOverLimit()) - before).toBe(OVER);
  });
});

test('the journal takes no more clicks when it is full, and takes them again later', async () => {
  const { queuePrefix } = testRedis();
  const journal = createClickJournal({
    redis: first.redis,
    queuePrefix: `${queuePrefix}-full`,
    clockMs: Date.now,
    logger,
    limited: false,
    bytesMax: 2 * JSON.stringify(exampleClick()).length,
  });
  const append = async () => journal.append(exampleClick(), VISITOR);
  // The connection may still be coming back from the outage before.
  await vi.waitFor(async () => expect(await append()).toMatchObject({ kind: 'appended' }));
  const result = await append();
  expect(await append()).toEqual({ kind: 'unavailable' });
  if (result.kind === 'appended') await journal.remove([result.entryId]);
  expect(await append()).toMatchObject({ kind: 'appended' });
});

test.each([
  ['free', 'limited'],
  ['pro', 'appended'],
] as const)('beyond 100,000 clicks a day on the plan %s one is %s', async (ownerPlan, kind) => {
  const { queuePrefix } = testRedis();
  const location = { redis: first.redis, clockMs: Date.now };
  const journal = createClickJournal({ ...location, queuePrefix, logger, limited: true });
  const rates = createRateLimiter({
    ...location,
    keyPrefix: `${queuePrefix}:links`,
    enabled: true,
  });
  const click = exampleClick();
  const daily = ownerClickLimits('free').find((rule) => rule.windowSeconds === 86_400);
  if (daily !== undefined) await rates.consume(daily, click.ownerId, 100_000);
  expect(await journal.append(click, { ...VISITOR, ownerPlan })).toMatchObject({ kind });
});
