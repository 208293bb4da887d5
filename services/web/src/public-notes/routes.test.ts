import { hash } from 'node:crypto';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@atrium/contracts/errors';
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
let answer: { status: number; body: string; code?: string };
let conditions: { needsPassword: boolean; viewsLeft: number | null };
let asked: { method: string; url: string; headers: Record<string, unknown> }[];
beforeEach(() => {
  answer = { status: 200, body: JSON.stringify(NOTE) };
  conditions = { needsPassword: false, viewsLeft: null };
  asked = [];
});
const refuse = (code: ErrorCode, message = ERROR_CODES[code].meaning) => {
  const { error } = ERROR_CODES[code];
  answer = { status: ERRORS[error], body: JSON.stringify({ error, message }), code };
};

await using stack = new AsyncDisposableStack();
const notes = stack.use(
  await listen(({ method = '', url = '', headers }, response) => {
    const isCondition =
      url.endsWith('/access') && method === 'GET' && [200, 401, 429].includes(answer.status);
    if (!isCondition) asked.push({ method, url, headers });
    const { status, body } = isCondition
      ? { status: 200, body: JSON.stringify(conditions) }
      : answer;
    response.writeHead(status, { 'retry-after': '90', 'error-code': answer.code ?? '' }).end(body);
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
  renderer: stack.use(createNoteRenderer({})),
  limiter: createLocalRateLimiter(() => 0),
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
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      vary: 'accept, accept-language, cookie',
      'ratelimit-policy': '"public-notes";q=600;w=60',
    });
  });

  test('may be indexed if its owner allows it', async () => {
    answer.body = JSON.stringify({ ...NOTE, allowIndexing: true });
    expect((await read()).headers['x-robots-tag']).toBeUndefined();
  });

  test('is JSON for who accepts nothing else', async () => {
    const response = await read(JSON_ONLY);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual(NOTE);
    expect((await read({ accept: '*/*' })).body).toContain('<!doctype html>');
  });

  test('is read with the id and the IP address of the request', async () => {
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

describe('a note that must be opened', () => {
  const open = (payload: string, headers: Record<string, string> = {}) =>
    server.inject({
      method: 'POST',
      url: `/s/${TOKEN}`,
      headers: { ...PAGE, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload,
    });

  test('asks for the password by a form and tells nothing of the note', async () => {
    conditions = { needsPassword: true, viewsLeft: null };
    const { statusCode, body, headers } = await read();
    expect(statusCode).toBe(200);
    expect(body).toContain('<h1>This note is protected</h1>');
    expect(body).toContain('<form method="post">');
    expect(body).not.toContain('autumn');
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(asked).toEqual([]);
  });

  test('says before how often it can be opened still', async () => {
    conditions = { needsPassword: false, viewsLeft: 1 };
    const { body } = await read();
    expect(body).toContain('This is the last time.');
    expect(body).not.toContain('type="password"');
    expect(
      (await server.inject({ method: 'HEAD', url: `/s/${TOKEN}`, headers: PAGE })).statusCode,
    ).toBe(200);
    expect(asked).toEqual([]);
  });

  test('is opened into a cookie of its page, by which it and its attachments are read', async () => {
    answer.body = JSON.stringify({ access: '1.abc', expiresAt: NOTE.updatedAt });
    const opened = await open('password=a+lantern');
    expect([opened.statusCode, opened.headers.location]).toEqual([303, `/s/${TOKEN}`]);
    expect(opened.headers['set-cookie']).toBe(
      `shareAccess=1.abc; Path=/s/${TOKEN}; HttpOnly; Secure; SameSite=Lax`,
    );
    answer.body = JSON.stringify(NOTE);
    const cookie = 'shareAccess=1.abc';
    expect((await read({ ...PAGE, cookie })).body).toContain('<h1>Plans');
    const attachment = { url: `/s/${TOKEN}/attachments/fil_1`, headers: { cookie } };
    await server.inject(attachment);
    await server.inject({ ...attachment, method: 'HEAD' });
    expect(asked.map(({ method, url, headers }) => [method, url, headers['share-access']])).toEqual(
      [
        ['POST', `/shared/${TOKEN}/access`, undefined],
        ['GET', `/shared/${TOKEN}`, '1.abc'],
        ['GET', `/shared/${TOKEN}/attachments/fil_1`, '1.abc'],
      ],
    );
  });

  test('says at the field that the password is wrong, and when to try again', async () => {
    conditions = { needsPassword: true, viewsLeft: null };
    for (const [code, text] of [
      ['password-wrong', 'This password is wrong.'],
      ['too-many-requests', 'Try again in 2 minutes.'],
    ] as const) {
      refuse(code);
      const { statusCode, body } = await open('password=wrong');
      expect(statusCode).toBe(answer.status);
      expect(body).toContain(text);
      expect(body).toContain('aria-describedby="error"');
    }
  });
});

describe('without a note', () => {
  test.each([
    ['share-expired', 'This link has expired'],
    ['share-used-up', 'This link has been used up'],
  ] as const)('says how the link has ended: %s', async (code, title) => {
    refuse(code);
    const { statusCode, body } = await read();
    expect(statusCode).toBe(404);
    expect(body).toContain(`<h1>${title}</h1>`);
  });

  test('says that it is not public any more', async () => {
    refuse('not-found', 'Shared note not found');
    const { statusCode, body, headers } = await read();
    expect(statusCode).toBe(404);
    expect(body).toContain('<h1>This note is not public</h1>');
    expect(headers['cache-control']).toBe('no-store');
    const json = await read(JSON_ONLY);
    expect(json.json()).toEqual({ error: 'Not Found', message: 'Shared note not found' });
    expect(json.headers['error-code']).toBe('not-found');
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

  test('answers 429 with a page once an IP address has read too many', async () => {
    refuse('not-found', 'Shared note not found');
    let last = await read();
    for (let n = 0; n < 1000 && last.statusCode === 404; n += 1) last = await read();
    expect(last.statusCode).toBe(429);
    expect(last.body).toContain('<h1>Too many requests</h1>');
  });
});
