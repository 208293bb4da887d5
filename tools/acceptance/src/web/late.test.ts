import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { answerHeaders } from './network.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

const REQUEST_ID = 'req-late-1';

/** What auth answers in place of a session. */
const answer = (status: number, error: string, message: string) => (route: Route) =>
  route.fulfill({
    status,
    headers: { ...answerHeaders(atrium.urls.web), 'x-request-id': REQUEST_ID },
    json: { error, message },
  });
const never = () => new Promise<void>(() => undefined);
/** While it tries, a click does nothing. */
const tryAgain = (page: Page) =>
  page.getByRole('button', { name: 'Try again' }).and(page.locator(':not([aria-disabled])'));

/** A page of a person with a session, which auth does not tell: nothing answers a refresh so. */
async function openWithout(
  username: string,
  path: string,
  refuse: (route: Route) => Promise<void>,
) {
  const visitor = await openAs(await createAccount(username), '/account', 'Profile');
  await visitor.page.route('**/auth/refresh', refuse);
  await visitor.page.goto(path);
  return visitor;
}

test.each([
  ['a rejection', 403, 'Forbidden', 'Origin is not allowed', '/account'],
  ['an error', 500, 'Internal Server Error', 'Something went wrong on our side', '/'],
])('a page says why there is no session: %s', async (name, status, error, message, path) => {
  const username = `late-${status}`;
  await using visitor = await openWithout(username, path, answer(status, error, message));
  const { page } = visitor;
  await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
  expect(await page.getByRole('alert').textContent()).toContain(message);
  await page.getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(REQUEST_ID);
  await expectAccessible(page, `session-${name.replace(' ', '-')}`);
  const refused = page.waitForResponse('**/auth/refresh');
  await tryAgain(page).click();
  await refused;

  await page.unroute('**/auth/refresh');
  // After an error the page tries by itself.
  if (status === 403) await tryAgain(page).click();
  await page
    .getByRole('heading', { name: path === '/' ? 'Hello, Ada Example' : 'Profile' })
    .waitFor();
});

test('a page says that it waits for an answer, in German too, and opens when it comes', async () => {
  await using visitor = await openWithout('late-nothing', '/account', never);
  const { page } = visitor;
  await page.getByRole('heading', { name: 'This is taking longer than usual' }).waitFor();
  await expectAccessible(page, 'session-late');
  await page.evaluate(`localStorage.setItem('atrium.language', 'de')`);
  await page.reload();
  await page.getByRole('heading', { name: 'Das dauert länger als sonst' }).waitFor();
  await page.getByRole('button', { name: 'Erneut versuchen' }).waitFor();
  await expectAccessible(page, 'session-late-german');
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.unroute('**/auth/refresh');
  await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor();
});

test('a page of an email says so too', async () => {
  await using visitor = await openWithout('late-email', `/confirm-email/${'a'.repeat(43)}`, never);
  await visitor.page.getByRole('heading', { name: 'This is taking longer than usual' }).waitFor();
  await expectAccessible(visitor.page, 'session-late-email');
});

test.each([
  ['the first script', '**/assets/*.js', 'body'],
  ['the frame', '**/assets/signed-in-*.js', 'html[data-mantine-color-scheme]'],
  ['the page', '**/assets/account-page-*.js', 'nav[aria-label=Main]'],
])('a page that waits for %s says so, and opens when it comes', async (name, script, before) => {
  const person = await createAccount(`slow-${name.replaceAll(' ', '-')}`);
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  await page.route(script, never);
  await page.goto('/account', { waitUntil: 'commit' });
  // On a busy machine, what comes before may have said so too.
  await page.locator(before).first().waitFor();
  // Before its style sheet has come, the page shows at once what it then hides for a while.
  await expect
    .poll(async () =>
      page.evaluate(
        `[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)`,
      ),
    )
    .toBe(true);
  await page.getByRole('heading', { name: 'This is taking longer than usual' }).waitFor();
  await expectAccessible(page, `late-${name.replaceAll(' ', '-')}`);
  await page.getByText('Try again', { exact: true }).waitFor();
  await page.unroute(script);
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
});

test('a part of a page that does not come says so, and the rest stays', async () => {
  await using visitor = await openAs(await createAccount('slow-part'), '/account', 'Profile');
  const { page } = visitor;
  const script = Promise.withResolvers<void>();
  await page.route('**/assets/palette-dialog-*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('alert').getByText('A part of this page has not come yet.').waitFor();
  await expectAccessible(page, 'late-part');
  script.resolve();
  await page.getByRole('combobox', { name: 'Name of a page, or words of a note' }).waitFor();
  expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(0);
});

test('a page that was opened by another name of this machine goes to WEB_URL', async () => {
  await using visitor = await visit();
  const { port } = new URL(atrium.urls.web);
  const response = await visitor.page.request.get(
    `http://127.0.0.1:${port}/login?return_to=%2Fnotes`,
    {
      headers: { accept: 'text/html' },
      maxRedirects: 0,
    },
  );
  expect(response.status()).toBe(302);
  expect(response.headers()['location']).toBe(`${atrium.urls.web}/login?return_to=%2Fnotes`);
});
