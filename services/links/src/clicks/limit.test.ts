import { newId } from '@atrium/contracts/ids';
import { createLogger } from '@atrium/service-kit/logger';
import { testRedis } from '@atrium/testkit/redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick } from './click.fixture.ts';
import { CLICK_LIMIT, createClickJournal } from './journal.ts';

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

async function newLink(): Promise<{ id: string; slug: string }> {
  const call = platform.as({ sub: newId('usr') })(first);
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
  test('redirects every click and records those within the limit of link and address', async () => {
    const { id, slug } = await newLink();
    const other = await newLink();
    const before = first.notRecorded.limit + second.notRecorded.limit;
    await Promise.all([
      follow(first, slug, CLICK_LIMIT.limit, '203.0.113.1'),
      follow(second, slug, OVER, '203.0.113.1'),
    ]);
    await follow(first, slug, 3, '203.0.113.2');
    await follow(first, other.slug, 2, '203.0.113.1');
    await untilRecorded(id, CLICK_LIMIT.limit + 3);
    await untilRecorded(other.id, 2);
    expect(first.notRecorded.limit + second.notRecorded.limit - before).toBe(OVER);
  });

  test('limits by what the process has seen while Redis is away', async () => {
    const { id, slug } = await newLink();
    await first.outages.redis.begin();
    const before = first.notRecorded.limit;
    await follow(first, slug, FLOOD, '203.0.113.3');
    await first.outages.redis.end();
    await untilRecorded(id, CLICK_LIMIT.limit);
    expect(first.notRecorded.limit - before).toBe(OVER);
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
    entriesMax: 2,
  });
  const append = async () => journal.append(exampleClick(), '203.0.113.4');
  // The connection may still be coming back from the outage before.
  await vi.waitFor(async () => expect(await append()).toMatchObject({ kind: 'appended' }));
  const result = await append();
  expect(await append()).toEqual({ kind: 'unavailable' });
  if (result.kind === 'appended') await journal.remove([result.entryId]);
  expect(await append()).toMatchObject({ kind: 'appended' });
});
