import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { chooseInAccountMenu } from './account-menu.ts';
import { expectFocus } from './dialogs.ts';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

/** A new account, logged in and at /account. */
const openAccount = async (username: string) =>
  openAs(await createAccount(username), '/account', 'Profile');

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
  const saved = page.getByRole('region', { name: 'Sprache' }).getByRole('combobox');
  await expect.poll(() => saved.inputValue()).toBe('de');
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
  await expectFocus(page.getByRole('dialog').getByLabel('Destination'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).click();
  const account = page.getByRole('button', { name: /^Account of/ });
  await account.click();
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  // The sheet stays.
  await expectFocus(account);
  // Also when the key comes as soon as the menu shows.
  await account.evaluate((button: HTMLElement) => {
    button.click();
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
    document.activeElement?.dispatchEvent(escape);
  });
  const lastItem = page.getByRole('menuitem', { name: 'Log out' });
  await lastItem.waitFor();
  await page.keyboard.press('Escape');
  await expectFocus(account);
  // An item chosen by such a key keeps the focus once the menu has opened.
  await account.evaluate((button: HTMLElement) => {
    const menu = document.getElementById(button.getAttribute('popovertarget') ?? '');
    const opened = new Promise((done) => menu?.addEventListener('toggle', done, { once: true }));
    button.click();
    menu?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    return opened.then(() => undefined);
  });
  await expectFocus(lastItem);
  visitor.expectNoFaults();
});

test('what is typed before the palette has come is in its field', async () => {
  await using visitor = await openAccount('hasty');
  const { page } = visitor;
  const come = Promise.withResolvers<void>();
  await page.route(/palette-dialog/, async (route) => {
    await come.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  // Alone, each of these keys leads somewhere else.
  await page.keyboard.type('glyph');
  come.resolve();
  const field = page.getByRole('dialog').getByRole('combobox');
  await expect.poll(() => field.inputValue()).toBe('glyph');
  await page.keyboard.type('s');
  await expect.poll(() => field.inputValue()).toBe('glyphs');
  expect(new URL(page.url()).pathname).toBe('/account');
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
    await expectFocus(page.getByRole('main'));
  }
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByText('Move a note in the tree').waitFor();
  await keys.getByText('Ctrl+Shift+M', { exact: true }).waitFor();
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
  await expect.poll(() => focused.textContent()).toBe('Bulbs');
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

test.each([
  ['/links?q=sale&sort=clicks', 'Links', 'New link'],
  ['/webhooks', 'Webhooks', 'New webhook'],
  ['/developers/applications', 'Your applications', 'New application'],
])('a dialog over %s that was cancelled stays closed', async (path, heading, opener) => {
  await using visitor = await openAs(await createAccount('canceller'), path, heading);
  const { page } = visitor;
  const dialog = page.getByRole('dialog', { name: opener });
  for (const cancel of [
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => page.goBack(),
  ]) {
    await page.getByRole('button', { name: opener }).first().click();
    await dialog.waitFor();
    await cancel();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(path);
  }
  await page.goBack();
  await page.waitForURL(path);
  expect(await dialog.count()).toBe(0);
  visitor.expectNoFaults();
});
