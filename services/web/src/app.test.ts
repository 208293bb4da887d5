import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@atrium/service-kit/logger';
import type { Server } from '@atrium/service-kit/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from './app.ts';
import { keepAssets } from './pages/kept-assets.ts';
import { createNoteRenderer } from './public-notes/renderer.ts';
import { sharedNotesAt } from './public-notes/shared-notes.ts';

const HTML =
  '<meta name="csp-nonce" content="%NONCE%" /><meta name="atrium-service-urls" content="%SERVICE_URLS%" />%LATE%';
const BROWSER = { accept: 'text/html,*/*' };

const DAY_MS = 86_400_000;

let folder: string;
let kept: string;
let built: string;
let server: Server;

/** The folder of a build whose script has this hash, plain and compressed. */
async function build(hash: string): Promise<string> {
  const built = join(folder, hash);
  await mkdir(built);
  await writeFile(join(built, `main-${hash}.js`), `plain ${hash}`);
  await writeFile(join(built, `main-${hash}.js.br`), `brotli ${hash}`);
  return built;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-web-'));
  kept = join(folder, 'kept');
  await keepAssets(await build('0f0f'), kept, Date.now());
  built = await build('1a2b');
  await mkdir(join(built, 'fonts'));
  server = await buildServer('https://atrium.example');
});

function buildServer(webUrl: string): Promise<Server> {
  return buildApp({
    logger: createLogger({ service: 'web', level: 'silent' }),
    trustProxy: false,
    serviceUrls: {
      web: webUrl,
      auth: 'https://auth.example',
      notes: 'https://api.example/notes',
      links: 'https://api.example/links',
      webhooks: 'https://api.example/"webhooks"',
      returnOrigins: [],
    },
    html: HTML,
    assets: [built, kept],
    notes: sharedNotesAt('https://notes.internal.example'),
    renderer: createNoteRenderer({}),
    findPortalOrigins: async (token) =>
      token === 'ptl_valid' ? ['https://app.shop.example', 'https://shop.example:8443'] : ['*'],
  });
}

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('serves the page for every path, with a nonce of its own each time', async () => {
  const nonces = new Set<string>();
  for (const url of ['/', '/verify-email/secret-token']) {
    const { statusCode, headers, body } = await server.inject({ url, headers: BROWSER });
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    const nonce = /name="csp-nonce" content="([^"]+)"/.exec(body)?.[1] ?? '';
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self' https://auth.example https://api.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});

test('lets the pages of a product show its portal in a frame, and nobody any other page', async () => {
  const ask = async (url: string) => (await server.inject({ url, headers: BROWSER })).headers;
  const portal = await ask('/portal/ptl_valid');
  expect(portal['content-security-policy']).toContain(
    'frame-ancestors https://app.shop.example https://shop.example:8443',
  );
  expect(portal).not.toHaveProperty('x-frame-options');
  for (const url of ['/portal', '/%70ortal/ptl_valid', '/%70ortal/webhooks', '/webhooks']) {
    const headers = await ask(url);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  }
});

test('lets every page show in a frame that the link of a portal has ended', async () => {
  for (const url of ['/portal/ptl_ended', '/portal/webhooks', '/portal/webhooks/whk_1?a=b']) {
    const { headers } = await server.inject({ url, headers: BROWSER });
    expect(headers['content-security-policy']).toMatch(/frame-ancestors \*$/);
    expect(headers).not.toHaveProperty('x-frame-options');
  }
});

test.each([
  ['de-AT,en;q=0.5', 'Das dauert länger als sonst'],
  ['fr', 'This is taking longer than usual'],
])(
  'says what to do about a script that does not come, to readers of %s',
  async (accepted, text) => {
    const headers = { ...BROWSER, 'accept-language': accepted };
    const { body } = await server.inject({ url: '/', headers });
    expect(body).toContain(text);
  },
);

test('redirects from the IP address of this machine to localhost, if WEB_URL names it', async () => {
  await using local = await buildServer('http://localhost:4000');
  const url = '/login?return_to=%2Fnotes';
  const to = (host: string) => ({ url, headers: { ...BROWSER, host } });
  for (const host of ['127.0.0.1:4000', '[::1]:4000']) {
    const { statusCode, headers } = await local.inject(to(host));
    expect([statusCode, headers.location]).toEqual([302, `http://localhost:4000${url}`]);
  }
  expect((await local.inject(to('localhost:4000'))).statusCode).toBe(200);
  expect((await server.inject(to('127.0.0.1:4000'))).statusCode).toBe(200);
});

test('sends every security header with the page', async () => {
  const { headers } = await server.inject({ url: '/', headers: BROWSER });
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  });
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
});

test('escapes the URLs in the page', async () => {
  const { body } = await server.inject({ url: '/', headers: BROWSER });
  expect(body).toContain('https://api.example/\\&quot;webhooks\\&quot;');
});

test('serves compressed files that a browser may keep for a year', async () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const response = await server.inject({ url: '/assets/main-1a2b.js', headers });
  expect(response.body).toBe('brotli 1a2b');
  expect(response.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
  });
  expect((await server.inject('/assets/main-1a2b.js')).body).toBe('plain 1a2b');
});

test('serves the files of an earlier build as it served them before', async () => {
  const url = '/assets/main-0f0f.js';
  const compressed = await server.inject({ url, headers: { 'accept-encoding': 'br' } });
  expect(compressed.body).toBe('brotli 0f0f');
  expect(compressed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await server.inject(url)).body).toBe('plain 0f0f');
});

test('deletes files a week after the last process that renewed them', async () => {
  const [former, current] = [await build('2c2c'), await build('3d3d')];
  const all = join(folder, 'all');
  const startMs = Date.now();
  await keepAssets(former, all, startMs);
  await keepAssets(former, all, startMs + 20 * DAY_MS);
  await keepAssets(current, all, startMs + 26 * DAY_MS);
  expect(await readdir(all)).toHaveLength(4);
  await keepAssets(current, all, startMs + 28 * DAY_MS);
  expect(await readdir(all)).toEqual(['main-3d3d.js', 'main-3d3d.js.br']);
});

test.each([
  '/assets/main-old.js',
  '/assets/../main.ts',
  '/assets/%2e%2e/index.html',
  '/assets/..%2findex.html',
  '/assets/',
  '/assets/%2f',
  '/assets/a/',
  '/assets/.',
  '/assets/fonts',
  '/assets/fonts/',
  '/assets/%00',
])('answers 404 for %s', async (url) => {
  for (const headers of [{}, { 'accept-encoding': 'gzip, br' }]) {
    const response = await server.inject({ url, headers });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ error: 'Not Found', message: 'Page not found' });
  }
});

test('answers 404 to requests that do not accept HTML, and has no API reference', async () => {
  const missing = await server.inject({
    url: '/api/notes',
    headers: { accept: 'application/json' },
  });
  expect(missing.statusCode).toBe(404);
  expect((await server.inject('/openapi.json')).statusCode).toBe(404);
});

test('reports that it is alive and ready', async () => {
  expect((await server.inject('/livez')).json()).toEqual({ status: 'alive' });
  expect((await server.inject('/readyz')).json()).toEqual({ status: 'ready' });
});
