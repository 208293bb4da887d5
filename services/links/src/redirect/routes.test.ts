import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';

let platform: TestPlatform;
let replica: Replica;
let other: Replica;
let call: Caller;
beforeAll(async () => {
  platform = await startTestPlatform();
  [replica, other] = await Promise.all([platform.replica(), platform.replica()]);
  call = platform.as()(replica);
});
afterAll(() => platform[Symbol.asyncDispose]());

async function newLink(url: string): Promise<{ path: string; slug: string }> {
  const { body } = await call('POST', '/api/links', { url });
  return { path: `/api/links/${String(body['id'])}`, slug: String(body['slug']) };
}

describe('GET /{slug}', () => {
  test('redirects to the target and forbids caching', async () => {
    const { slug } = await newLink('https://example.com/a');
    const response = await replica.server.inject(`/${slug}`);
    expect(response).toMatchObject({ statusCode: 302, body: '' });
    expect(response.headers).toMatchObject({
      location: 'https://example.com/a',
      'cache-control': 'private, no-store',
    });
    // The destination may learn where its visitors come from.
    expect(response.headers).not.toHaveProperty('referrer-policy');
  });

  test.each(['https://škoda.example/', 'https://\nöbb.example/'])(
    'encodes a target that was stored as %j for the header',
    async (url) => {
      const { slug } = await newLink('https://example.com/a');
      await platform.database.query('UPDATE links SET url = $1 WHERE slug = $2', [url, slug]);
      const response = await replica.server.inject(`/${slug}`);
      expect(response.statusCode).toBe(302);
      expect(response.headers['location']).toBe(new URL(url).href);
    },
  );

  test('redirects a URL to which a slash was added', async () => {
    const { slug } = await newLink('https://example.com/a');
    expect(await replica.follow(`${slug}/`)).toEqual({
      status: 302,
      location: 'https://example.com/a',
    });
    const headers = { accept: 'text/html' };
    const dead = await replica.server.inject({ url: '/no-such-link/', headers });
    expect([dead.statusCode, dead.body]).toEqual([404, expect.stringContaining('leads nowhere')]);
  });

  test('does not count a HEAD request', async () => {
    const { path, slug } = await newLink('https://example.com/a');
    const head = await replica.server.inject({ method: 'HEAD', url: `/${slug}` });
    expect(head).toMatchObject({ statusCode: 302, body: '' });
    await replica.follow(slug);
    await until(async () => (await call('GET', path)).body['clicks'] === 1);
  });

  test('returns 404 for an unknown slug', async () => {
    const response = await replica.server.inject('/nowhere');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ error: 'Not Found', message: 'Link not found' });
  });

  test.each([
    ['en', 'This link leads nowhere'],
    ['de-AT,de;q=0.9', 'Dieser Link führt nirgendwohin'],
  ])(
    'a person whose browser prefers %s gets a page for an unknown slug',
    async (languages, title) => {
      const { statusCode, headers, body } = await replica.server.inject({
        url: '/no-such-link',
        headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': languages },
      });
      expect(statusCode).toBe(404);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'error-code': 'not-found',
        vary: expect.stringContaining('accept-language'),
      });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(body).toContain(`<h1>${title}</h1>`);
      expect(body).not.toContain('no-such-link');
    },
  );

  test('follows an update at once in this process and soon in every other', async () => {
    const { path, slug } = await newLink('https://example.com/old');
    expect((await other.follow(slug)).location).toBe('https://example.com/old');
    await replica.follow(slug);
    await call('PATCH', path, { url: 'https://example.com/new' });
    expect((await replica.follow(slug)).location).toBe('https://example.com/new');
    await until(async () => (await other.follow(slug)).location === 'https://example.com/new');
    await call('DELETE', path);
    expect((await replica.follow(slug)).status).toBe(404);
    await until(async () => (await other.follow(slug)).status === 404);
  });

  test('redirects cached links while Postgres and Redis are away, and returns 503 for others', async () => {
    const cached = await newLink('https://example.com/cached');
    const cold = await newLink('https://example.com/cold');
    await other.follow(cached.slug);
    await other.outages.postgres.begin();
    await other.outages.redis.begin();
    for (let n = 0; n < 20; n += 1) {
      const answer = await other.follow(cached.slug);
      expect(answer).toEqual({ status: 302, location: 'https://example.com/cached' });
      // Long enough in total for the entry to expire.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const response = await other.server.inject(`/${cold.slug}`);
    expect([response.statusCode, response.json().error]).toEqual([503, 'Service Unavailable']);
    await other.outages.postgres.end();
    await other.outages.redis.end();
    await until(async () => (await other.follow(cold.slug)).status === 302);
    await until(async () => (await call('GET', cached.path)).body['clicks'] === 21);
  });
});
