import { newId } from '@atrium/contracts/ids';
import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';

let platform: TestPlatform;
let replica: Replica;
beforeAll(async () => {
  platform = await startTestPlatform();
  replica = await platform.replica();
});
afterAll(() => platform[Symbol.asyncDispose]());

test('searches read an index that begins with the owner, among 20,000 links of one account', async () => {
  const ownerId = newId('usr');
  await platform.database.query(
    `INSERT INTO links (id, owner_id, slug, url)
     SELECT 'lnk_' || lpad(n::text, 26, '0'), $1, 'many-' || n, 'https://example.com/pages/' || md5(n::text)
     FROM generate_series(1, 20000) AS n`,
    [ownerId],
  );
  await platform.database.query('VACUUM ANALYZE links');
  const scans = async () => {
    const [row] = await platform.database.query<{ scans: number }>(
      `SELECT idx_scan::integer AS scans FROM pg_stat_user_indexes
       WHERE indexrelname = 'links_search_idx'`,
    );
    return row?.scans ?? 0;
  };
  const before = await scans();
  const call = platform.as({ sub: ownerId })(replica);
  const { body } = await call('GET', '/api/links?q=MANY-19999');
  expect(body).toMatchObject({ data: [{ slug: 'many-19999' }], nextCursor: null });
  await expect.poll(scans).toBeGreaterThan(before);
});

test('a target is found as it was typed, also where it is stored in its encoded form', async () => {
  const call = platform.as()(replica);
  const url = 'https://bücher.example/Straße/zwei Wörter?q=größe';
  await call('POST', '/api/links', { url });
  await call('POST', '/api/links', { url: 'https://example.com/other' });
  const find = async (q: string) => {
    const { body } = await call('GET', `/api/links?q=${encodeURIComponent(q)}`);
    return body['data'];
  };
  for (const q of [
    url,
    'BÜCHER.example',
    'bücher.example/Str',
    'straße/zwei w',
    'Wörter',
    'größe',
  ]) {
    expect([q, await find(q)]).toMatchObject([q, [{ url: new URL(url).href }]]);
  }
  for (const q of ['ö 100%', 'ü_', '](ß', '日本', 'ä/..'])
    expect([q, await find(q)]).toEqual([q, []]);
});

test('searches wait on connections of their own, and end with 503 after a second', async () => {
  const call = platform.as()(replica);
  await platform.database.transaction({ job: 'test' }, async (tx) => {
    await tx.query('LOCK TABLE links IN ACCESS EXCLUSIVE MODE');
    // More than there are connections of either kind.
    const searches = Promise.all(
      Array.from({ length: 12 }, () => platform.as()(replica)('GET', '/api/links?q=example')),
    );
    await untilBlocked(platform.database, 4);
    const waiting = await platform.database.query(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting).toEqual([{ name: 'links-search' }]);
    expect((await call('GET', '/api/links/usage')).status).toBe(200);
    expect((await searches).map(({ status }) => status)).toEqual(
      Array.from({ length: 12 }, () => 503),
    );
  });
});

test('one account searches once at a time, and twenty of its searches wait', async () => {
  const call = platform.as()(replica);
  const statuses = await platform.database.transaction({ job: 'test' }, async (tx) => {
    await tx.query('LOCK TABLE links IN ACCESS EXCLUSIVE MODE');
    let refused = 0;
    const searches = Array.from({ length: 25 }, async () => {
      const { status } = await call('GET', '/api/links?q=example');
      if (status === 429) refused += 1;
      return status;
    });
    await expect.poll(() => refused).toBe(4);
    return searches;
  });
  expect((await Promise.all(statuses)).filter((status) => status !== 429)).toHaveLength(21);
});
