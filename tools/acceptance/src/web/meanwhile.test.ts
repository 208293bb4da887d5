import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { expectFocus } from './dialogs.ts';
import { startJourneys } from './journeys.ts';
import { callNotes, createNotes } from './notes.ts';
import { share, startEndpoint, subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Holds such requests of a page back. @returns `asked` comes with the first one, `release` lets them go */
async function hold(page: Page, method: string, url: RegExp) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    asked.resolve();
    await released.promise;
    await route.continue().catch(() => undefined);
  });
  return { asked: asked.promise, release: () => released.resolve() };
}

test('the entry that was chosen in the palette stays chosen when others come before it', async () => {
  const person = await createAccount('walker');
  const [, asters = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Asters' },
  ]);
  await callNotes(atrium.urls.notes, person, 'PUT', `/api/notes/${asters}/favourite`);
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  const favourites = await hold(page, 'GET', /\/api\/favourites/);
  await page.reload();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  await favourites.asked;
  await page.keyboard.press('Control+k');
  await expectFocus(page.getByRole('combobox', { name: 'Name of a page, or words of a note' }));
  await page.keyboard.press('ArrowDown');
  const notes = page.getByRole('option', { name: 'Notes', exact: true });
  await notes.and(page.locator('[aria-selected=true]')).waitFor();
  favourites.release();
  await page.getByRole('option', { name: /^Asters/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
  visitor.expectNoFaults();
});

test('a menu stays open when what scrolled before it opened is told after that', async () => {
  await using visitor = await openAs(await createAccount('scroller'), '/account', 'Profile');
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 400 });
  const account = button(page, 'Account of Ada Example');
  await account.evaluate((opener: HTMLElement) => {
    const scrolled = new Promise((done) => window.addEventListener('scroll', done, { once: true }));
    window.scrollBy(0, 40);
    opener.click();
    return scrolled.then(() => undefined);
  });
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(/\/login/);
});

test('a note that was moved by keys does not take the focus back from where it went', async () => {
  const person = await createAccount('mover');
  const { notes } = atrium.urls;
  const [garden = '', beds] = await createNotes(notes, person, 'Garden', [
    { title: 'Beds' },
    { title: 'Seeds' },
  ]);
  const roses = { title: 'Roses', parentId: beds };
  await callNotes(notes, person, 'POST', `/api/workspaces/${garden}/notes`, roses);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
  await row('Garden').focus();
  await page.keyboard.press('ArrowRight');
  await row('Seeds').focus();
  const level = await hold(page, 'GET', /\/tree\?.*parentId=/);
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await level.asked;
  await row('Seeds').waitFor({ state: 'detached' });
  const search = page.getByRole('main').getByRole('searchbox');
  await search.focus();
  level.release();
  await row('Seeds').waitFor();
  await expectFocus(search);
  visitor.expectNoFaults();
});

test('a note without a name that comes late leaves the focus in the palette', async () => {
  const person = await createAccount('leaver');
  const [garden = '', note = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Untitled note' },
  ]);
  await using visitor = await openAs(person, `/workspaces/${garden}`, 'Garden');
  const { page } = visitor;
  const opening = await hold(page, 'GET', new RegExp(`/api/notes/${note}$`));
  await page.getByRole('main').getByRole('link', { name: 'Untitled note' }).click();
  await opening.asked;
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Name of a page, or words of a note' });
  await expectFocus(field);
  opening.release();
  await page.locator('textarea[aria-label=Title]').waitFor();
  await page.keyboard.type('prof');
  await expect.poll(() => field.inputValue()).toBe('prof');
  visitor.expectNoFaults();
});

test('a delivery that was resent leaves the focus where it went meanwhile', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('resender');
  await subscribe(atrium, person, `${endpoint.url}/hook`);
  await share(atrium, person);
  await endpoint.waitFor(1);
  await using visitor = await openAs(person, '/deliveries', 'Deliveries');
  const { page } = visitor;
  await page.getByRole('main').getByRole('link', { name: 'note.shared' }).click();
  const beside = page.getByRole('complementary', { name: 'Delivery' });
  await beside.getByText('Status 200').waitFor();
  const sending = await hold(page, 'POST', /\/redeliver$/);
  const resend = beside.getByRole('button', { name: 'Resend', exact: true });
  await resend.click();
  await sending.asked;
  const state = page.getByRole('combobox', { name: 'State' });
  await state.focus();
  sending.release();
  await page.getByText('Delivery is being resent').waitFor();
  await expectFocus(state);
  visitor.expectNoFaults();
});

test('links that are typed while others are saved stay', async () => {
  await using visitor = await openAs(await createAccount('linker'), '/account', 'Profile');
  const { page } = visitor;
  const saving = await hold(page, 'PATCH', /\/user\/me$/);
  const label = page.getByLabel('Label of link 1');
  await button(page, 'Add link').click();
  await label.fill('Garden');
  await page.getByLabel('URL of link 1').fill('garden.example.com');
  await button(page, 'Save links').click();
  await saving.asked;
  await label.fill('Allotment');
  saving.release();
  await page.getByText('Links saved').waitFor();
  expect(await label.inputValue()).toBe('Allotment');
  await button(page, 'Save links').click();
  await expect.poll(() => page.getByText('Links saved').count()).toBe(2);
  await page.reload();
  await expect.poll(() => label.inputValue()).toBe('Allotment');
  await expect
    .poll(() => page.getByLabel('URL of link 1').inputValue())
    .toBe('https://garden.example.com');
  visitor.expectNoFaults();
});

test('a dialog that was opened meanwhile stays when the former one is done', async () => {
  const person = await createAccount('eraser');
  const titles = ['Lamps', 'Chairs'];
  const [, ...ids] = await createNotes(
    atrium.urls.notes,
    person,
    'House',
    titles.map((title) => ({ title })),
  );
  for (const id of ids) await callNotes(atrium.urls.notes, person, 'DELETE', `/api/notes/${id}`);
  await using visitor = await openAs(person, '/trash', 'Trash');
  const { page } = visitor;
  const erasing = await hold(page, 'DELETE', new RegExp(`/${ids[0]}$`));
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete for good' });
  await button(page, 'Delete for good: Lamps').click();
  await confirm.click();
  await erasing.asked;
  await page.keyboard.press('Escape');
  await button(page, 'Delete for good: Chairs').click();
  await confirm.waitFor();
  erasing.release();
  await page.getByText('“Lamps” is deleted for good').waitFor();
  await confirm.click();
  await page.getByText('“Chairs” is deleted for good').waitFor();
  visitor.expectNoFaults();
});

test('a form that was opened meanwhile stays when the former one is sent', async () => {
  await using visitor = await openAs(await createAccount('twice'), '/account/security', 'Security');
  const { page } = visitor;
  const sending = await hold(page, 'POST', /\/user\/change-password$/);
  const dialog = page.getByRole('dialog');
  const open = page.getByRole('main').getByRole('button', { name: 'Change password' });
  await open.click();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByLabel('New password').fill('a new walk in the sun');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await sending.asked;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await open.click();
  await dialog.getByLabel('New password').fill('another walk');
  sending.release();
  await page.getByText('Password changed.').waitFor();
  expect(await dialog.getByLabel('New password').inputValue()).toBe('another walk');
  visitor.expectNoFaults();
});

test('restrictions that are typed while others are saved stay', async () => {
  const person = await createAccount('restricter');
  const [, note = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plan' }]);
  await callNotes(atrium.urls.notes, person, 'POST', `/api/notes/${note}/share`);
  await using visitor = await openAs(person, `/notes/${note}`, 'Plan');
  const { page } = visitor;
  await button(page, 'Share').click();
  const views = page.getByLabel('How often it can be opened');
  const saving = await hold(page, 'PATCH', /\/share$/);
  await views.fill('12');
  await page.getByLabel('Ask for a password').check();
  const password = page.getByLabel('New password', { exact: true });
  await password.fill('roses are red');
  await button(page, 'Save restrictions').click();
  await saving.asked;
  await views.fill('15');
  saving.release();
  await page.getByText('The restrictions are saved').waitFor();
  expect(await views.inputValue()).toBe('15');
  expect(await password.inputValue()).toBe('');
  await button(page, 'Save restrictions').click();
  await expect
    .poll(async () => {
      const { body } = await callNotes(
        atrium.urls.notes,
        person,
        'GET',
        `/api/notes/${note}/share`,
      );
      return [body['maxViews'], body['hasPassword']];
    })
    .toEqual([15, true]);
  // What others have saved takes their place, which is said.
  const theirs = { maxViews: 20 };
  await callNotes(atrium.urls.notes, person, 'PATCH', `/api/notes/${note}/share`, theirs);
  await views.fill('30');
  await button(page, 'Save restrictions').click();
  await page.getByText('Someone else has just changed this').waitFor();
  await expect.poll(() => views.inputValue()).toBe('20');
  visitor.expectNoFaults();
});
