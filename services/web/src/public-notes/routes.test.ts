import { hash } from 'node:crypto';
import { createServer } from '@atrium/service-kit/server';
import { createLogger } from '@atrium/service-kit/logger';
import { createLocalRateLimiter } from '@atrium/service-kit/rate-limit';
import { listen } from '@atrium/testkit/http-listener';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createNoteRenderer } from './renderer.ts';
import { publicNoteRoutes } from './routes.ts';
import { sharedNotesAt } from './shared-notes.ts';

const TOKEN = 'q2Vd8LrT0xYpK7sNwB4mZgq2Vd8LrT0xYpK7sNwB4mZ';
const NOTE = {
  title: 'Plans for <autumn>',
  content: '# Plans\n\nPlant **tulips**.',
  tags: ['garden'],
  allowIndexing: false,
  sharedAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-02-03T23:30:00.000Z',
};
const PAGE = { accept: 'text/html,*/*;q=0.8' };
const JSON_ONLY = { accept: 'application/json' };

/** What the notes service answers, and what it was asked. */
let answer: { status: number; body: string };
let asked: { url: string; headers: Record<string, unknown> }[];
beforeEach(() => {
  answer = { status: 200, body: JSON.stringify(NOTE) };
  asked = [];
});

await using stack = new AsyncDisposableStack();
const notes = stack.use(
  await listen(({ url = '', headers }, response) => {
    asked.push({ url, headers });
    response.writeHead(answer.status).end(answer.body);
  }),
);
const server = await createServer({
  service: 'web',
  logger: createLogger({ service: 'web', level: 'silent' }),
  trustProxy: false,
  corsOrigins: [],
  ready: {},
  apiReference: false,
});
stack.defer(() => server.close());
await server.register(publicNoteRoutes, {
  notes: sharedNotesAt(notes.url),
  renderer: stack.use(createNoteRenderer()),
  limiter: createLocalRateLimiter(),
  webUrl: 'https://atrium.example',
  html: '<link rel="icon" href="/assets/icon-1a2b.svg" type="image/svg+xml" />',
});
const open = stack.move();
afterAll(() => open.disposeAsync());

const read = (headers: Record<string, string> = PAGE, token = TOKEN) =>
  server.inject({ url: `/s/${token}`, headers });

describe('a public note', () => {
  test('is a page without script, with a title, a description and Open Graph tags', async () => {
    const { statusCode, headers, body } = await read();
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('<title>Plans for &lt;autumn&gt; · Atrium</title>');
    expect(body).toContain('<h1>Plans for &lt;autumn&gt;</h1>');
    expect(body).toContain('<meta name="description" content="Plans Plant tulips." />');
    expect(body).toContain(`property="og:url" content="https://atrium.example/s/${TOKEN}"`);
    expect(body).toContain('<p>Plant <strong>tulips</strong>.</p>');
    expect(body).toContain('Updated 3 February 2026');
    expect(body).toContain('<li>garden</li>');
    expect(body).toContain('<link rel="icon" href="/assets/icon-1a2b.svg"');
    expect(body).not.toContain('<script');
  });

  test('allows its own style sheet and nothing else, and is neither stored nor indexed', async () => {
    const { headers, body } = await read();
    const css = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash('sha256', css, 'base64')}'; img-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      vary: 'accept, accept-language',
      'ratelimit-policy': '"public-notes";q=600;w=60',
    });
  });

  test('is JSON for who accepts nothing else', async () => {
    const response = await read(JSON_ONLY);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual(NOTE);
    expect((await read({ accept: '*/*' })).body).toContain('<!doctype html>');
  });

  test('is read with the id and the address of the request', async () => {
    const { headers } = await read({ ...PAGE, 'x-request-id': 'req-1' });
    expect(headers['x-request-id']).toBe('req-1');
    expect(asked).toMatchObject([
      {
        url: `/shared/${TOKEN}`,
        headers: { 'x-request-id': 'req-1', 'x-forwarded-for': '127.0.0.1' },
      },
    ]);
  });

  test('has German texts for who prefers them', async () => {
    const { body } = await read({ ...PAGE, 'accept-language': 'fr,de-AT;q=0.9,en;q=0.8' });
    expect(body).toContain('<html lang="de">');
    expect(body).toContain('Geändert am 3. Februar 2026');
  });
});

describe('without a note', () => {
  test('says that it is not public any more', async () => {
    answer = { status: 404, body: '' };
    const { statusCode, body, headers } = await read();
    expect(statusCode).toBe(404);
    expect(body).toContain('<h1>This note is not public</h1>');
    expect(headers['cache-control']).toBe('no-store');
    expect((await read(JSON_ONLY)).json()).toEqual({
      error: 'Not Found',
      message: 'Shared note not found',
    });
  });

  test('says that the link is not complete, without asking for it', async () => {
    const { statusCode, body } = await read(PAGE, TOKEN.slice(1));
    expect(statusCode).toBe(404);
    expect(body).toContain('<h1>Note not found</h1>');
    expect(asked).toEqual([]);
  });

  test.each([
    ['an error', { status: 500, body: '' }],
    ['another answer', { status: 200, body: '{}' }],
    ['more than a note can hold', { status: 200, body: ' '.repeat(4_000_001) }],
  ])('answers 503 for %s of the notes service', async (_, given) => {
    answer = given;
    const { statusCode, body, headers } = await read();
    expect(statusCode).toBe(503);
    expect(headers['retry-after']).toBe('2');
    expect(body).toContain('<h1>This note cannot be shown right now</h1>');
  });

  test('answers 503 for a note that takes too long, and for the next one too', async () => {
    await using renderer = createNoteRenderer(1);
    for (const content of ['a*b**c '.repeat(50_000), 'b*c**d '.repeat(50_000)]) {
      await expect(renderer.render(content)).rejects.toMatchObject({ status: 503 });
    }
  });

  test('answers 429 with a page once an address has read too many', async () => {
    answer = { status: 404, body: '' };
    let last = await read();
    for (let n = 0; n < 1000 && last.statusCode === 404; n += 1) last = await read();
    expect(last.statusCode).toBe(429);
    expect(last.body).toContain('<h1>Too many requests</h1>');
  });
});
