import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';

let platform: TestPlatform;
let replica: Replica;
let call: Caller;
beforeAll(async () => {
  platform = await startTestPlatform();
  replica = await platform.replica();
  call = platform.as()(replica);
});
afterAll(() => platform[Symbol.asyncDispose]());

const MISSING = { status: 404, body: { error: 'Not Found', message: 'Link not found' } };
const TAKEN = { status: 409, body: { error: 'Conflict', message: 'Slug is already taken' } };
const url = 'https://example.com/a?b=c#d';

describe('link routes', () => {
  test('creates a link with a random slug', async () => {
    const { status, body } = await call('POST', '/api/links', { url });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^lnk_[0-9a-z]{26}$/),
      slug: expect.stringMatching(/^[A-Za-z0-9]{7}$/),
      url,
      shortUrl: `https://go.example/${String(body['slug'])}`,
      clicks: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await call('GET', `/api/links/${String(body['id'])}`)).toEqual({ status: 200, body });
  });

  test('gives a chosen slug to one of ten simultaneous requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '/api/links', { url, slug: 'spring-sale' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 201)).toEqual(TAKEN);
  });

  test.each([
    'api',
    'API',
    'livez',
    'readyz',
    'docs',
    'metrics',
    'shared',
    'auth',
    'signup',
    'forgot-password',
  ])('returns 409 for the reserved slug %s', async (slug) => {
    expect(await call('POST', '/api/links', { url, slug })).toEqual(TAKEN);
  });

  test.each([
    ['nothing', {}, 400],
    ['a number', { url: 1 }, 400],
    ['no URL', { url: 'nonsense' }, 422],
    ['a script', { url: 'javascript:alert(1)' }, 422],
    ['a file', { url: 'file:///etc/passwd' }, 422],
    ['a password in it', { url: 'https://me:secret@example.com/' }, 422],
    ['a name in it', { url: 'https://bank.example@evil.example/' }, 422],
    ['2049 characters', { url: `https://example.com/${'a'.repeat(2029)}` }, 422],
    ['a slug that is too short', { url, slug: 'ab' }, 422],
    ['a slug with a dot', { url, slug: 'robots.txt' }, 422],
  ])('refuses to create a link with %s', async (_what, body, status) => {
    expect((await call('POST', '/api/links', body)).status).toBe(status);
  });

  test('returns 403 without a verified email and 401 without a token', async () => {
    const unverified = platform.as({ ev: false })(replica);
    expect(await unverified('POST', '/api/links', { url })).toMatchObject({
      status: 403,
      body: { error: 'Email Not Verified' },
    });
    expect((await unverified('GET', '/api/links')).status).toBe(200);
    expect((await replica.server.inject('/api/links')).statusCode).toBe(401);
  });

  test('finds links by part of their slug or target, in any case, and nothing of others', async () => {
    const mine = platform.as()(replica);
    const other = platform.as()(replica);
    const slugOf = async (caller: Caller, body: object) =>
      (await caller('POST', '/api/links', body)).body['slug'];
    const found = async (q: string, query = '') => {
      const { body } = await mine('GET', `/api/links?q=${encodeURIComponent(q)}${query}`);
      return (body['data'] as { slug: string }[]).map(({ slug }) => slug);
    };
    const sale = await slugOf(mine, { url: 'https://example.com/a', slug: 'Winter_Sale' });
    const plans = await slugOf(mine, { url: 'https://example.com/plans/50%25-off', slug: 'p50' });
    await slugOf(other, { url: 'https://example.com/plans/sale' });
    expect(await found('winter')).toEqual([sale]);
    expect(await found('PLANS')).toEqual([plans]);
    expect(await found('example.com')).toEqual([plans, sale]);
    expect(await found('example.com', '&limit=1')).toEqual([plans]);
    // No wildcards.
    expect(await found('50%25')).toEqual([plans]);
    expect(await found('p_ans')).toEqual([]);
    expect(await found('w%r')).toEqual([]);
  });

  test('says whether a slug is free, as creating a link would', async () => {
    const isAvailable = async (slug: string) =>
      (await call('GET', `/api/slugs/${slug}`)).body['isAvailable'];
    expect(await isAvailable('not-yet')).toBe(true);
    await call('POST', '/api/links', { url, slug: 'not-yet' });
    expect(await isAvailable('not-yet')).toBe(false);
    expect(await isAvailable('Admin')).toBe(false);
    expect((await call('GET', '/api/slugs/a.b')).status).toBe(422);
  });

  test('lists links newest first, in pages, only to their owner', async () => {
    const mine = platform.as()(replica);
    const ids: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await mine('POST', '/api/links', { url })).body['id']);
    }
    const first = await mine('GET', '/api/links?limit=2');
    expect(first.body['data']).toMatchObject([{ id: ids[0] }, { id: ids[1] }]);
    const rest = await mine('GET', `/api/links?cursor=${String(first.body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ data: [{ id: ids[2] }], nextCursor: null });
    expect((await mine('GET', '/api/links?cursor=x')).status).toBe(422);
  });

  test('lists links by their clicks, in pages, also those that are searched', async () => {
    const ownerId = newId('usr');
    const mine = platform.as({ sub: ownerId })(replica);
    for (const [slug, clicks] of [
      ['few-1', 1],
      ['many-1', 7],
      ['few-2', 1],
      ['other', 3],
    ] as const) {
      await mine('POST', '/api/links', { url, slug: `by-${slug}` });
      await platform.database.query('UPDATE links SET clicks = $2 WHERE slug = $1', [
        `by-${slug}`,
        clicks,
      ]);
    }
    const slugsOf = async (query: string) => {
      const slugs: unknown[] = [];
      let cursor = '';
      do {
        const { body } = await mine('GET', `/api/links?limit=1&sort=clicks${query}${cursor}`);
        slugs.push(...(body['data'] as { slug: string }[]).map(({ slug }) => slug));
        const { nextCursor } = body;
        cursor = typeof nextCursor === 'string' ? `&cursor=${nextCursor}` : '';
      } while (cursor !== '');
      return slugs;
    };
    expect(await slugsOf('')).toEqual(['by-many-1', 'by-other', 'by-few-2', 'by-few-1']);
    expect(await slugsOf('&q=FEW')).toEqual(['by-few-2', 'by-few-1']);
    const { body } = await mine('GET', '/api/links?limit=1');
    const foreign = `/api/links?sort=clicks&cursor=${String(body['nextCursor'])}`;
    expect((await mine('GET', foreign)).status).toBe(422);
  });

  test('updates a link and frees its old slug', async () => {
    const { body } = await call('POST', '/api/links', { url, slug: 'before' });
    const path = `/api/links/${String(body['id'])}`;
    const changed = await call('PATCH', path, { slug: 'after', url: 'http://other.example' });
    expect(changed).toMatchObject({
      status: 200,
      body: { slug: 'after', url: 'http://other.example', shortUrl: 'https://go.example/after' },
    });
    expect((await call('POST', '/api/links', { url, slug: 'before' })).status).toBe(201);
    expect(await call('PATCH', path, { slug: 'before' })).toEqual(TAKEN);
    expect(await call('PATCH', path, { slug: 'docs' })).toEqual(TAKEN);
    expect((await call('PATCH', path, { url: 'ftp://x' })).status).toBe(422);
    expect((await call('PATCH', path, {})).status).toBe(422);
  });

  test('deletes a link and keeps its slug from everybody', async () => {
    const { body } = await call('POST', '/api/links', { url, slug: 'short-lived' });
    const path = `/api/links/${String(body['id'])}`;
    expect((await call('DELETE', path)).status).toBe(204);
    expect(await call('DELETE', path)).toEqual(MISSING);
    expect(await call('GET', path)).toEqual(MISSING);
    expect(await call('PATCH', path, { url })).toEqual(MISSING);
    const list = await call('GET', '/api/links?limit=100');
    expect(JSON.stringify(list.body)).not.toContain(String(body['id']));
    const again = { url, slug: 'short-lived' };
    expect(await call('POST', '/api/links', again)).toEqual(TAKEN);
    expect(await platform.as()(replica)('POST', '/api/links', again)).toEqual(TAKEN);
    const { body: check } = await call('GET', '/api/slugs/short-lived');
    expect(check['isAvailable']).toBe(false);
  });

  test('returns 404 for a link of another account', async () => {
    const { body } = await call('POST', '/api/links', { url });
    const otherAccount = platform.as()(replica);
    for (const path of [`/api/links/${String(body['id'])}`, `/api/links/${newId('lnk')}`]) {
      expect(await otherAccount('GET', path)).toEqual(MISSING);
      expect(await otherAccount('PATCH', path, { url })).toEqual(MISSING);
      expect(await otherAccount('DELETE', path)).toEqual(MISSING);
    }
  });
});
