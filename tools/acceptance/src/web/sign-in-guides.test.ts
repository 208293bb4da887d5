import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@atrium/local-stack/ports';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { createServer } from 'vite';
import { call } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { logOut } from './account-menu.ts';
import { logInAs } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { run, writeGuide } from '../guide.fixture.ts';
import { answers, openSites } from './sites.ts';

const { atrium, createAccount, visit } = await startJourneys();

const person = await createAccount('guided');
const { register, registerSite, logIn } = await openSites(atrium.urls.auth, person);
const sessionSecret = () => ({ SESSION_SECRET: randomBytes(16).toString('hex') });

test('the Fastify site of the guide logs in and out', async () => {
  await using guide = await writeGuide('docs/sign-in-with-atrium/fastify.md');
  const { url, settings } = await registerSite();
  await using _site = run([join(guide.folder, 'site.js')], settings);
  await answers(url);
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(`${url}/login`);
  await logIn(page);
  await page.getByText('Hello, Ada Example').waitFor();
  await page.goto(`${url}/logout`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('Nobody is logged in').waitFor();
  expect(page.url()).toBe(`${url}/`);
  await page.goto(`${url}/login`);
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
});

test('the Express site of the guide ends with the session of Atrium, and logs out', async () => {
  await using guide = await writeGuide('docs/sign-in-with-atrium/express.md');
  const { url, settings } = await registerSite({ isTold: true });
  await using _site = run([join(guide.folder, 'site.js')], { ...settings, ...sessionSecret() });
  await answers(url);
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(`${url}/login`);
  await logIn(page);
  await page.getByText('Hello, Ada Example').waitFor();
  await using elsewhere = await visit();
  await elsewhere.page.goto(`${url}/login`);
  await logInAs(elsewhere.page, person.email);
  await elsewhere.page.getByText('Hello, Ada Example').waitFor();
  await page.goto(atrium.urls.web);
  await logOut(page);
  const heading = async () => {
    await page.goto(url);
    return page.textContent('body');
  };
  // A site that was too busy to be told is told again, half a minute later.
  await expect.poll(heading, { timeout: 90_000 }).toBe('Nobody is logged in');
  await elsewhere.page.goto(url);
  await elsewhere.page.getByText('Hello, Ada Example').waitFor();
  await page.goto(`${url}/login`);
  await logInAs(page, person.email);
  await page.getByText('Hello, Ada Example').waitFor();
  await page.goto(`${url}/logout`);
  await expectAccessible(page, 'end-session');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('Nobody is logged in').waitFor();
  expect(page.url()).toBe(`${url}/`);
});

test('the routes of the Next.js guide log in, and ask who has not', async () => {
  await using guide = await writeGuide('docs/sign-in-with-atrium/next.md');
  const { url, settings } = await registerSite();
  const server = join(import.meta.dirname, 'routes-server.ts');
  await using _site = run([server, guide.folder, settings.PORT], {
    ...settings,
    ...sessionSecret(),
  });
  await answers(`${url}/me`);
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(`${url}/me`);
  await page.getByText('Nobody is logged in').waitFor();
  await page.goto(`${url}/callback?code=stolen&state=guessed`);
  await page.getByText('Nobody has logged in').waitFor();
  await page.goto(`${url}/login`);
  await logIn(page);
  await page.getByText('Hello, Ada Example').waitFor();
  expect(page.url()).toBe(`${url}/me`);
});

test('the single-page application of the guide keeps nothing but in memory', async () => {
  await using guide = await writeGuide('docs/sign-in-with-atrium/single-page.md');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const { AUTH_URL, CLIENT_ID } = await register({ kind: 'single-page', redirectUrls: [url] });
  const settings = `VITE_AUTH_URL=${AUTH_URL}\nVITE_CLIENT_ID=${CLIENT_ID}\n`;
  await writeFile(join(guide.folder, '.env'), settings);
  await using stack = new AsyncDisposableStack();
  const vite = stack.adopt(
    await createServer({
      root: guide.folder,
      cacheDir: join(guide.folder, '.vite'),
      configFile: false,
      logLevel: 'error',
      server: { port, host: '127.0.0.1', strictPort: true },
    }),
    (server) => server.close(),
  );
  await vite.listen();
  await using visitor = await visit();
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Log in with Atrium' });
  await page.goto(url);
  await button.click();
  await logIn(page);
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  expect(page.url()).toBe(url);
  expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Nobody is logged in' }).waitFor();
  await button.click();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});

test('the command-line tool of the guide lists workspaces', async () => {
  await using guide = await writeGuide('docs/sign-in-with-atrium/command-line.md');
  const settings = await register({
    kind: 'native',
    redirectUrls: ['http://127.0.0.1/callback'],
    scopes: ['notes:read'],
  });
  await call('POST', `${atrium.urls.notes}/api/workspaces`, {
    token: person.accessToken,
    body: { name: 'Shelf', description: '' },
  });
  await using tool = run([join(guide.folder, 'workspaces.js')], {
    ...settings,
    NOTES_URL: atrium.urls.notes,
  });
  const address = await until(() => /^Open (\S+)\n/.exec(tool.output())?.[1]);
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(address);
  await logIn(page);
  await page.getByText('You can close this page.').waitFor();
  expect(await tool.exited).toEqual([0, null]);
  expect(tool.output()).toContain('\nHello, Ada Example\n');
  expect(tool.output()).toContain('\nShelf\n');
});
