import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startAtrium } from '../atrium.ts';
import { run, writeGuide } from '../guide.fixture.ts';
import { logOut } from './account-menu.ts';
import { logInAs } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { answers, openSites } from './sites.ts';

/** The interpreter that finds Debian's packages python3-authlib, python3-flask and python3-requests. */
const PYTHON = '/usr/bin/python3';
const TOKEN_SECONDS = 5;

const own = await startAtrium({ ACCESS_TOKEN_TTL_SECONDS: String(TOKEN_SECONDS) });
afterAll(() => own[Symbol.asyncDispose]());
const { atrium, createAccount, visit } = await startJourneys(own);
const person = await createAccount('guided');
const { registerSite, logIn } = await openSites(atrium.urls.auth, person);

test('the Flask site of the guide logs in, refreshes, ends with the session, and logs out', async () => {
  await using guide = await writeGuide('docs/sign-in-with-atrium/flask.md');
  const { url, settings } = await registerSite({ isTold: true, scopes: ['account:read'] });
  const SESSION_SECRET = randomBytes(16).toString('hex');
  const program = join(guide.folder, 'site.py');
  await using _site = run([program], { ...settings, SESSION_SECRET }, PYTHON);
  await answers(url);
  await using visitor = await visit();
  const { page } = visitor;
  const shown = async (path: string) => {
    await page.goto(`${url}${path}`);
    return page.textContent('body');
  };
  await page.goto(`${url}/login`);
  await logIn(page);
  await page.getByText('Hello, Ada Example').waitFor();
  expect(await shown('/username')).toContain('guided');
  await sleep(TOKEN_SECONDS * 1000 + 1000);
  expect(await shown('/username')).toContain('guided');

  await page.goto(atrium.urls.web);
  await logOut(page);
  await expect.poll(() => shown('/')).toBe('Nobody is logged in');

  await page.goto(`${url}/login`);
  await logInAs(page, person.email);
  await page.getByText('Hello, Ada Example').waitFor();
  await page.goto(`${url}/logout`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('Nobody is logged in').waitFor();
  expect(page.url()).toBe(`${url}/`);
});
