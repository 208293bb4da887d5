import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { signUp } from './forms.ts';
import { mouse } from './input-methods.ts';
import { chooseInAccountMenu } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';
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
  await page.getByRole('combobox', { name: 'Name of a page, or words of a note' }).waitFor();
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

test('the sidebar is resized and hidden, and stays so', async () => {
  await using visitor = await openAccount('resizer');
  const { page } = visitor;
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0);
  const edge = page.getByRole('separator', { name: 'Width of the sidebar' });
  // With its border.
  await expect.poll(width).toBe(243);
  await edge.press('ArrowRight');
  await expect.poll(width).toBe(259);
  await edge.press('End');
  await expect.poll(width).toBe(359);
  const box = await edge.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 4, 300);
  await page.mouse.down();
  await page.mouse.move(300, 320);
  await page.mouse.up();
  await expect.poll(width).toBe(299);
  await page.reload();
  await expect.poll(width).toBe(299);
  await page.keyboard.press('Control+\\');
  await sidebar.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  expect(await sidebar.isVisible()).toBe(false);
  await expectAccessible(page, 'frame-without-sidebar');
  await page.getByRole('button', { name: /^Show the sidebar/ }).click();
  await sidebar.waitFor();
  visitor.expectNoFaults();
});

test('the theme and the language are chosen in the menu of the account', async () => {
  await using visitor = await openAccount('chooser');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Account of Ada Example' }).click();
  await page.getByRole('menuitemradio', { name: 'System', checked: true }).waitFor();
  await page.keyboard.press('Escape');
  await chooseInAccountMenu(page, 'Dark');
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await chooseInAccountMenu(page, 'Deutsch');
  await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor();
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  visitor.expectNoFaults();
});

test('a phone has the sections in a bar below, and a menu of what can be made', async () => {
  await using visitor = await openAccount('pocket');
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole('navigation', { name: 'Sections' });
  for (const control of await bar.getByRole('link').or(bar.getByRole('button')).all()) {
    const { width = 0, height = 0 } = (await control.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  await bar.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await bar.getByRole('button', { name: 'New' }).click();
  await page.getByRole('menuitem', { name: 'New link' }).click();
  await page.getByRole('dialog').getByLabel('Destination').waitFor();
  visitor.expectNoFaults();
});

test('keys lead through the pages, and do nothing while one types', async () => {
  const person = await createAccount('quick');
  const [garden] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Asters' },
    { title: 'Bulbs' },
    { title: 'Compost' },
  ]);
  await using visitor = await openAs(person, '/', 'Hello, Ada Example');
  const { page } = visitor;
  const focused = page.locator(':focus');
  await page.getByRole('main').getByRole('link', { name: 'Compost' }).waitFor();
  await page.reload();
  await page.getByRole('main').getByRole('link', { name: 'Compost' }).waitFor();
  // The first note within five steps: past the navigation, then to it.
  for (const key of ['Tab', 'Enter', 'Tab', 'Tab']) await page.keyboard.press(key);
  expect(await focused.textContent()).toBe('Compost');
  for (const [key, heading] of [
    ['n', 'Notes'],
    ['l', 'Links'],
    ['w', 'Webhooks'],
    ['h', 'Hello, Ada Example'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await expectAccessible(page, 'frame-keys');
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/');

  await page.goto(`/workspaces/${garden}`);
  await page.getByRole('main').getByRole('link', { name: 'Compost' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('cg');
  expect(await page.getByRole('searchbox').inputValue()).toBe('cg');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('main').getByRole('link', { name: 'Compost' }).waitFor();
  await page.getByRole('main').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused.textContent()).toBe('Bulbs');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await page.getByRole('main').focus();
  await page.keyboard.press('Escape');
  await page.waitForURL(`**/workspaces/${garden}`);
  // The focus is where it was.
  await expect.poll(() => focused.textContent()).toBe('Bulbs');
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  visitor.expectNoFaults();
});
