import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { signUp } from './forms.ts';
import { mouse } from './input-methods.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { answerHeaders, layoutShift, slowDown } from './network.ts';
import { share, subscribe } from './webhook.fixture.ts';

const CLS_MAX = 0.01;
const ACCOUNT_PAGES = ['security', 'sessions', 'activity', 'plan', 'data'];

const { atrium, createAccount, openAs, visit } = await startJourneys();

/** A new account, logged in and at /account. */
const openAccount = async (username: string) =>
  openAs(await createAccount(username), '/account', 'Profile');

test('on a slow network pages show their shape first and do not jump', async () => {
  await using visitor = await openAccount('slow');
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('button', { name: 'New note' }).click();
  await page.getByRole('textbox', { name: 'Note' }).waitFor();
  await slowDown(page);
  let answer = Promise.withResolvers<void>();
  // All that the page asks for itself.
  await page.route(/:\d+\/(api|user)\/(?!me$)/, async (route) => {
    await answer.promise;
    await route.continue();
  });
  const shifts: [path: string, shift: number][] = [];
  for (const path of ['', 'account', ...ACCOUNT_PAGES.map((page) => `account/${page}`)]) {
    answer = Promise.withResolvers();
    await page.goto(`/${path}`);
    await page.getByRole('group', { name: 'Loading' }).first().waitFor();
    answer.resolve();
    const skeletons = page.getByRole('group', { name: 'Loading' });
    await expect.poll(() => skeletons.count()).toBe(0);
    shifts.push([path, await layoutShift(page)]);
  }
  expect(shifts.filter(([, shift]) => shift > CLS_MAX)).toEqual([]);
  visitor.expectNoFaults();
});

test('on a slow network a form that is sent twice arrives once', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  let registrations = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/auth/register')) registrations++;
  });
  await page.goto('/signup');
  await slowDown(page);
  const impatient = { ...mouse, press: (control: Locator) => control.dblclick() };
  await signUp(page, 'impatient', { inputMethod: impatient });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  expect(registrations).toBe(1);
  visitor.expectNoFaults();
});

test('a part that cannot be loaded offers to reload, and what was typed stays', async () => {
  await using visitor = await openAccount('outdated');
  const { page } = visitor;
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Ada Unsaved');
  await page.route('**/assets/palette-dialog-*.js', (route) => route.fulfill({ status: 404 }));
  await page.keyboard.press('Control+k');
  await page.getByRole('alert').getByRole('button', { name: 'Reload the page' }).waitFor();
  await expectAccessible(page, 'frame-part-missing');
  expect(await name.inputValue()).toBe('Ada Unsaved');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Profile saved').waitFor();

  await page.unroute('**/assets/palette-dialog-*.js');
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await reloaded;
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Name of a page, or words of a note' }).waitFor();
});

test('texts that cannot be loaded are asked for once, and page and palette say so', async () => {
  await using visitor = await openAs(await createAccount('wordless'), '/notes', 'Notes');
  const { page } = visitor;
  let requests = 0;
  await page.route('**/assets/other-pages-*.js', (route) => {
    requests += 1;
    return route.fulfill({ status: 404 });
  });
  // A page that is at rest may have them already.
  await page.reload();
  await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('alert').getByRole('button', { name: 'Reload the page' }).waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
  expect(requests).toBe(1);
  await page.unroute('**/assets/other-pages-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
});

test('what is typed while the palette is being loaded stays out of the field that had the focus', async () => {
  await using visitor = await openAccount('hasty');
  const { page } = visitor;
  const name = page.getByLabel('Name', { exact: true });
  const before = await name.inputValue();
  const script = Promise.withResolvers<void>();
  await page.route('**/assets/palette-dialog-*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  // As Chrome does when it fills in a field.
  await page.evaluate(`window.dispatchEvent(new Event('keydown'))`);
  await name.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('links');
  expect(await name.inputValue()).toBe(before);
  script.resolve();
  await expectFocus(page.getByRole('combobox', { name: 'Name of a page, or words of a note' }));
  await page.keyboard.press('Escape');
  await expect.poll(() => name.and(page.locator(':focus')).count()).toBe(1);
  visitor.expectNoFaults();
});

test('the palette finds links and webhooks, and keeps no row that does not match', async () => {
  const person = await createAccount('finder');
  const token = person.accessToken;
  const post = (url: string, body: object) => call('POST', url, { token, body });
  await post(`${atrium.urls.links}/api/links`, {
    url: 'https://example.com/lamp',
    slug: 'lampshade',
  });
  await subscribe(atrium, person, 'http://127.0.0.1:9/hook');
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Name of a page, or words of a note' });
  const options = () => page.getByRole('listbox').getByRole('option').allInnerTexts();
  for (const typed of ['o', 'ac', 'pro', 'account', '', 'profile', 'o', 'ac'])
    await palette.fill(typed);
  await palette.fill('lamps');
  await page.getByRole('option', { name: 'lampshade' }).waitFor();
  await expect.poll(options).toEqual(['lampshade example.com/lamp', 'Search notes for “lamps”']);
  await expectAccessible(page, 'palette-link');
  await palette.fill('team');
  await page.getByRole('option', { name: 'Team chat' }).waitFor();
  await expect.poll(options).toEqual(['Team chat 127.0.0.1:9/hook', 'Search notes for “team”']);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Team chat', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await palette.fill('lampsh');
  await page.getByRole('option', { name: 'lampshade' }).click();
  await page.getByRole('heading', { name: '/lampshade', level: 1 }).waitFor();
  visitor.expectNoFaults();
});

test('the title of a note wraps on a phone', async () => {
  const person = await createAccount('wordy');
  await share(atrium, person);
  await using visitor = await openAs(person, '/', 'Hello, Ada Example');
  const { page } = visitor;
  await page.getByRole('link', { name: 'For all' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('What we plant in spring beside the old wall, and what waits until autumn');
  await page.getByText('Saved', { exact: true }).waitFor();
  await expectAccessible(page, 'note-long-title');
  await page.setViewportSize({ width: 390, height: 844 });
  const cut = (field: Element) => [
    field.scrollWidth - field.clientWidth,
    Math.max(0, field.scrollHeight - field.clientHeight),
  ];
  await expect.poll(() => title.evaluate(cut)).toEqual([0, 0]);
  expect((await title.boundingBox())?.height).toBeGreaterThan(60);
  await title.press('Enter');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Note' }).and(page.locator(':focus')).count())
    .toBe(1);
  visitor.expectNoFaults();
});

test('a page that fails shows an error page, in the frame, and tries again', async () => {
  await using visitor = await openAccount('broken');
  const { page } = visitor;
  await page.route('**/user/plan', (route) =>
    route.fulfill({ headers: answerHeaders(atrium.urls.web), json: { plan: 'unheard of' } }),
  );
  await page.getByRole('link', { name: 'Plan' }).click();
  await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
  await expectAccessible(page, 'frame-error');
  await page.unroute('**/user/plan');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor();
});

test('a message stays with the page that it is about', async () => {
  await using visitor = await openAccount('told');
  const { page } = visitor;
  await page.clock.install();
  await page.reload();
  await page.getByLabel('Name', { exact: true }).fill('Ada Told');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const message = page.getByText('Profile saved');
  await message.waitFor();
  // Messages last 6 s.
  await page.clock.fastForward(3_000);
  await page.getByRole('link', { name: 'Plan' }).click();
  await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor();
  expect(await message.count()).toBe(0);
});
