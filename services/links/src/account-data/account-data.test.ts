import { newId } from '@atrium/contracts/ids';
import { tablesMentioning } from '@atrium/testkit/mentions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick } from '../clicks/click.fixture.ts';
import { accountCollections, eraseAccount } from './store.ts';

let platform: TestPlatform;
let replica: Replica;
beforeAll(async () => {
  platform = await startTestPlatform();
  replica = await platform.replica();
});
afterAll(() => platform[Symbol.asyncDispose]());

async function accountWithClicks(page: string, clicksPerLink: number) {
  const accountId = newId('usr');
  const call = platform.as({ sub: accountId, ev: true })(replica);
  const slugs: string[] = [];
  for (let i = 0; i < 3; i++) {
    const url = `https://${page}.example/${i}`;
    const { body } = await call('POST', '/api/links', { url }, { 'idempotency-key': url });
    slugs.push(String(body['slug']));
    const link = {
      linkId: String(body['id']),
      ownerId: accountId,
      slug: String(body['slug']),
      url,
    };
    // Several at the same time: a page boundary between them must not skip any.
    await platform.store.storeAll(
      Array.from({ length: clicksPerLink }, (_, n) =>
        exampleClick({ ...link, clickedAtMs: 1_700_000_000_000 + Math.floor(n / 3) }),
      ),
    );
  }
  return { accountId, slugs };
}

test('security 31: erases the links and clicks of a deleted account and keeps only its slugs', async () => {
  const ada = await accountWithClicks('deleted', 700);
  const eve = await accountWithClicks('other', 5);
  for (const slug of ada.slugs) expect((await replica.follow(slug)).status).toBe(302);
  const freed: string[] = [];
  await eraseAccount(platform.database, ada.accountId, (slugs) => freed.push(...slugs));
  expect(await platform.database.prisma.link.count({ where: { slug: { in: ada.slugs } } })).toBe(3);
  expect(freed.toSorted()).toEqual(ada.slugs.toSorted());
  expect(
    await tablesMentioning(platform.database, [ada.accountId, 'https://deleted.example']),
  ).toEqual([]);
  const [left] = await platform.database.query<{ clicks: number }>(
    'SELECT count(*)::int AS clicks FROM clicks',
  );
  expect(left?.clicks).toBe(15);
  const days = await platform.database.prisma.dailyClicks.findMany({ include: { link: true } });
  expect(days.map(({ link }) => link.ownerId)).toEqual([eve, eve, eve].map((one) => one.accountId));
  for (const slug of eve.slugs) expect((await replica.follow(slug)).status).toBe(302);
  await eraseAccount(platform.database, ada.accountId, (slugs) => expect(slugs).toEqual([]));
});

test('exports every link, click and daily total of the account once', async () => {
  const { accountId, slugs } = await accountWithClicks('exported', 700);
  await accountWithClicks('another', 5);
  const held: Record<string, object[]> = {};
  for (const [name, pages] of accountCollections(platform.database, accountId)) {
    const records: object[] = [];
    for await (const page of pages) records.push(...page);
    held[name] = records;
  }
  expect(held['links']?.map((link) => 'slug' in link && link.slug).toSorted()).toEqual(
    slugs.toSorted(),
  );
  expect(held['clicks']).toHaveLength(2100);
  const day = { linkId: expect.stringMatching(/^lnk_/), day: '2023-11-14', people: 700, bots: 0 };
  expect(held['dailyClicks']).toEqual([day, day, day]);
});

test('goes on with the clicks after those that are purged meanwhile', async () => {
  const { accountId } = await accountWithClicks('purged', 200);
  const clicks = new Map(accountCollections(platform.database, accountId)).get('clicks');
  const counts: number[] = [];
  for await (const page of clicks ?? []) {
    counts.push(page.length);
    const times = page.map((click) => Reflect.get(click, 'clickedAt') as Date);
    await platform.database.query('DELETE FROM clicks WHERE clicked_at <= $1', [times.at(-1)]);
    if (counts.length === 2) break;
  }
  // Nine clicks have the time of the first page's last click; four of them were still to come.
  expect(counts).toEqual([500, 96]);
});
