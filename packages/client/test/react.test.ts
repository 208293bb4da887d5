import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '@atrium/testkit/browser';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, expect, test } from 'vitest';
import { bundle } from '../src/bundle.fixture.ts';
import { createAtrium } from '../src/index.ts';
import { AtriumProvider, useAuth } from '../src/react.ts';
import { startTestPlatform } from '../src/session/platform.fixture.ts';
import { temporaryFolder } from '../src/temporary-folder.fixture.ts';
import { codeBlock, codeBlocks } from '@atrium/testkit/code-blocks';

const browser = await launchBrowser();
afterAll(() => browser.close());

/** A page with this module as its script. */
async function startPage(file: string) {
  await using stack = new AsyncDisposableStack();
  const platform = stack.use(await startTestPlatform());
  const names = ['AUTH', 'NOTES', 'LINKS', 'WEBHOOKS'];
  const env = Object.fromEntries(names.map((name) => [`VITE_${name}_URL`, platform.url]));
  const define = {
    'process.env.NODE_ENV': '"development"',
    'import.meta.env': JSON.stringify(env),
  };
  const body = await bundle(file, { define });
  platform.files.set('/page.js', { type: 'text/javascript', body });
  const html =
    '<!doctype html><title></title><main id="root"></main><script type="module" src="/page.js"></script>';
  platform.files.set('/', { type: 'text/html', body: html });
  const context = await browser.newContext();
  stack.defer(() => context.close());
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // The answer to a visitor, who has no session.
    const isExpected = /401 \(Unauthorized\)/.test(message.text());
    if (message.type() === 'error' && !isExpected) errors.push(message.text());
  });
  await page.goto(platform.url);
  const kept = stack.move();
  return { platform, page, errors, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

test('the page of the README logs in, is loaded again and logs out, in under 40 lines', async () => {
  const code = codeBlock(await codeBlocks('packages/client/README.md'), 'jsx');
  expect(code.trimEnd().split('\n').length).toBeLessThan(40);
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'page.jsx'), code);
  await using started = await startPage(join(folder.path, 'page.jsx'));
  const { page, errors } = started;
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('secret');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log ada out' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Log ada out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(errors).toEqual([]);
});

test('in StrictMode it asks once for the session and shows the user without a flash', async () => {
  await using started = await startPage('react.fixture.ts');
  const { page, platform, errors } = started;
  await page.getByRole('button', { name: 'nobody' }).click();
  await page.getByRole('button', { name: 'ada' }).waitFor();
  platform.refreshes.length = 0;
  await page.reload();
  await page.getByRole('button', { name: 'ada' }).waitFor();
  expect(await page.title()).toMatch(/^(unknown )*(ada ?)+$/);
  expect(platform.refreshes).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('on a server the session is not known and nothing is asked', async () => {
  await using platform = await startTestPlatform();
  const { url } = platform;
  const atrium = createAtrium({ authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url });
  const Home = () => createElement('p', null, JSON.stringify(useAuth().isInitializing));
  const html = renderToString(createElement(AtriumProvider, { atrium }, createElement(Home)));
  expect(html).toBe('<p>true</p>');
  expect([...platform.calls, ...platform.refreshes]).toEqual([]);
});

test('useAuth without its provider says what is missing', () => {
  const Home = () => createElement('p', null, useAuth().user?.name);
  expect(() => renderToString(createElement(Home))).toThrow('needs an <AtriumProvider>');
});
