import { newId } from '@atrium/contracts/ids';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FIREFOX, type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick, VISITOR } from './click.fixture.ts';

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
  const [id, slug] = [String(body['id']), String(body['slug'])];
  return { id, slug, ownerId, call, target: { linkId: id, ownerId, url: 'https://example.com/' } };
}

interface Counts {
  counted: number;
  people: number;
  bots: number;
  events: number;
}

async function countsOf(linkId: string): Promise<Counts | undefined> {
  const [row] = await platform.database.query<Counts>(
    `SELECT links.clicks::integer AS counted,
       (SELECT count(*)::integer FROM clicks WHERE link_id = $1 AND NOT is_bot) AS people,
       (SELECT count(*)::integer FROM clicks WHERE link_id = $1 AND is_bot) AS bots,
       (SELECT count(*)::integer FROM outbox WHERE data ->> 'linkId' = $1) AS events
     FROM links WHERE id = $1`,
    [linkId],
  );
  return row;
}

async function settled(linkId: string, expected: Counts): Promise<void> {
  await vi.waitFor(async () => expect(await countsOf(linkId)).toEqual(expected), 30_000);
}

const clickOn = ({ slug, target }: Awaited<ReturnType<typeof newLink>>) =>
  exampleClick({ slug, ...target });

describe('clicks', () => {
  test('counts a click by a person and appends an event for the owner of the link', async () => {
    const link = await newLink();
    await replica.server.inject({
      url: `/${link.slug}`,
      headers: { 'user-agent': FIREFOX, referer: 'https://blog.example/', 'x-request-id': 'r-9' },
    });
    await settled(link.id, { counted: 1, people: 1, bots: 0, events: 1 });
    const [event] = await platform.database.query('SELECT * FROM outbox WHERE account_id = $1', [
      link.ownerId,
    ]);
    expect(event).toMatchObject({
      event: 'go.click',
      request_id: 'r-9',
      data: {
        linkId: link.id,
        slug: link.slug,
        url: 'https://example.com/',
        clickedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        referrer: 'https://blog.example/',
        userAgent: FIREFOX,
      },
    });
  });

  test('stores clicks by bots without counting them or appending events', async () => {
    const link = await newLink();
    await replica.follow(link.slug, 'Mozilla/5.0 (compatible; Googlebot/2.1)');
    await replica.follow(link.slug, 'curl/8.5.0');
    await replica.server.inject({
      url: `/${link.slug}`,
      headers: { 'user-agent': FIREFOX, 'sec-purpose': 'prefetch' },
    });
    await settled(link.id, { counted: 0, people: 0, bots: 3, events: 0 });
  });

  test('appends the event of a click just before its link is deleted', async () => {
    const link = await newLink();
    await replica.follow(link.slug);
    await link.call('DELETE', `/api/links/${link.id}`);
    await settled(link.id, { counted: 1, people: 1, bots: 0, events: 1 });
  });

  test('counts a click once when it is stored twice, also at the same time', async () => {
    const link = await newLink();
    const clicks = Array.from({ length: 50 }, () => clickOn(link));
    await Promise.all([
      platform.store.storeAll(clicks),
      platform.store.storeAll(clicks.toReversed()),
      platform.store.storeAll(clicks.slice(10)),
    ]);
    await settled(link.id, { counted: 50, people: 50, bots: 0, events: 50 });
  });

  test('stores clicks that a dead process left in the journal', async () => {
    const link = await newLink();
    const orphan = clickOn(link);
    const appended = await platform.journal.append(orphan, VISITOR);
    expect(appended.kind).toBe('appended');
    await settled(link.id, { counted: 1, people: 1, bots: 0, events: 1 });
    await until(async () => (await platform.journal.readOlderThan(0, 10)).length === 0);
  });
});

describe('clicks during an outage', () => {
  test('loses no click while Postgres is away', async () => {
    const link = await newLink();
    await replica.follow(link.slug);
    await replica.outages.postgres.begin();
    for (let n = 0; n < 30; n += 1) {
      expect((await replica.follow(link.slug)).status).toBe(302);
    }
    // Longer than the orphan age: recorder and scheduled job then store the same clicks.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await replica.outages.postgres.end();
    await settled(link.id, { counted: 31, people: 31, bots: 0, events: 31 });
  });

  test('loses no click while Redis is away', async () => {
    const link = await newLink();
    await replica.follow(link.slug);
    await replica.outages.redis.begin();
    for (let n = 0; n < 30; n += 1) {
      expect((await replica.follow(link.slug)).status).toBe(302);
    }
    await settled(link.id, { counted: 31, people: 31, bots: 0, events: 31 });
    await replica.outages.redis.end();
    await until(() => replica.redis.status === 'ready');
  });

  test('stores the clicks of a process that stopped while Postgres was away', async () => {
    const link = await newLink();
    const leaving = await platform.replica();
    await leaving.follow(link.slug);
    await settled(link.id, { counted: 1, people: 1, bots: 0, events: 1 });
    await leaving.outages.postgres.begin();
    for (let n = 0; n < 10; n += 1) await leaving.follow(link.slug);
    await leaving[Symbol.asyncDispose]();
    await settled(link.id, { counted: 11, people: 11, bots: 0, events: 11 });
  });
});
