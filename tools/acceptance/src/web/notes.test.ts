import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectFocus } from './dialogs.ts';
import { type InputMethod, inputMethod, mouse } from './input-methods.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { answerHeaders, REJECTION } from './network.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

/** A browser in which this person is logged in, at their notes. */
const openNotes = (person: { email: string }) => openAs(person, '/notes', 'Notes');

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const palette = (page: Page) =>
  page.getByRole('combobox', { name: 'Name of a page, or words of a note' });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Creates a workspace and a note in it, which is open then. */
async function createNote(
  page: Page,
  workspace: string,
  inputMethod: InputMethod = mouse,
): Promise<void> {
  await inputMethod.press(button(page, 'New workspace').first());
  await inputMethod.fill(dialog(page).getByLabel('Name'), workspace);
  await inputMethod.press(button(page, 'Create workspace'));
  await page.getByRole('heading', { name: workspace }).waitFor();
  await inputMethod.press(button(page, 'New note').first());
  await editor(page).waitFor();
}

test('a note is written, tagged, found, shared and unshared', async () => {
  const person = await createAccount('writer');
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.getByText('A workspace holds the notes').waitFor();
  await expectAccessible(page, 'notes-empty');
  await createNote(page, 'Garden', inputMethod);
  const title = page.getByRole('textbox', { name: 'Title' });
  expect(await title.inputValue()).toBe('Untitled note');
  await expectAccessible(page, 'note-new');
  await expectFocus(title);
  await page.keyboard.type('Plans for autumn');
  await inputMethod.fill(page.getByLabel('Add a tag'), 'bulbs');
  await page.keyboard.press('Enter');
  await inputMethod.fill(editor(page), '');
  await page.keyboard.type(
    '# October\n\nPlant **tulips** and ~~crocus~~ daffodils.\n\n- [x] soil\nbulbs',
  );
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/tab');
  await page.getByRole('listbox').waitFor();
  await expectAccessible(page, 'note-slash-menu');
  await page.getByRole('option', { name: 'Table' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('early');
  await saved(page);
  await expectAccessible(page, 'note');

  // In a table, Tab goes to its next cell.
  await page.keyboard.press('Control+Home');
  await inputMethod.press(button(page, 'Share'));
  await expectAccessible(page, 'note-share');
  await inputMethod.press(button(page, 'Create public link'));
  const url = await dialog(page).getByLabel('Public link').inputValue();
  await expectAccessible(page, 'note-public');
  await inputMethod.press(button(page, 'Copy link'));
  expect(await clipboard(page)).toBe(url);
  await using signedOut = await visitor.context.browser()?.newContext();
  const reader = await signedOut?.newPage();
  const response = await reader?.goto(url);
  expect(await response?.text()).toContain('tulips');
  await inputMethod.press(button(page, 'Stop sharing'));
  await page.getByText('The note is private again').waitFor();
  expect((await reader?.goto(url))?.status()).toBe(404);
  await page.keyboard.press('Escape');

  await inputMethod.press(page.getByRole('link', { name: 'Garden' }));
  await page.getByRole('link', { name: 'Plans for autumn' }).waitFor();
  await expectAccessible(page, 'workspace');
  await inputMethod.fill(page.getByRole('searchbox'), 'tulip');
  await page.keyboard.press('Enter');
  await page.getByText('1 note found').waitFor();
  expect(await page.locator('mark').first().textContent()).toBe('tulips');
  await expectAccessible(page, 'notes-search');
  visitor.expectNoFaults();
});

test('workspaces are renamed, and deleted once their name is typed', async () => {
  const person = await createAccount('gardener');
  await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Tulips' }]);
  for (const name of ['Home', 'Travel', 'Work'])
    await createNotes(atrium.urls.notes, person, name, []);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.getByText('4 of 5').waitFor();
  await page.getByText('1 note', { exact: true }).waitFor();
  await expectAccessible(page, 'notes');
  await button(page, 'New workspace').click();
  await button(page, 'Create workspace').click();
  await page.getByText('Name is required').waitFor();
  await expectAccessible(page, 'workspace-new-error');
  await dialog(page)
    .getByLabel('Name')
    .fill('A name that is quite a bit longer than most names are');
  await dialog(page).getByLabel('Description').fill('What it is for');
  await button(page, 'Create workspace').click();
  await page.getByText('Nothing is written here yet.').waitFor();
  await expectAccessible(page, 'workspace-empty');
  await page.getByRole('main').getByRole('link', { name: 'Workspaces' }).click();
  await page.getByText('5 of 5').waitFor();
  await expectAccessible(page, 'notes-full');
  await button(page, 'New workspace').click();
  await dialog(page).getByLabel('Name').fill('One more');
  await button(page, 'Create workspace').click();
  await page.getByText('Your plan allows 5 workspaces').waitFor();
  await button(page, 'Cancel').click();

  await button(page, 'Actions for Work').click();
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
  expect(await clipboard(page)).toContain(`-d '{"title":"Untitled note"}'`);
  await button(page, 'Actions for Work').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page).getByLabel('Name').fill('Projects');
  await button(page, 'Save').click();
  await page.getByRole('link', { name: 'Projects' }).waitFor();
  await button(page, 'Actions for Projects').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  // It has no notes, but a trash, members and invitations.
  await expectFocus(dialog(page).getByLabel('Type Projects to confirm'));
  await page.keyboard.press('Escape');

  await button(page, 'Actions for Garden').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByLabel('Type Garden to confirm').fill('garden');
  await button(page, 'Delete workspace').click();
  await page.getByText('This is not the name of the workspace').waitFor();
  await expectAccessible(page, 'workspace-delete');
  await dialog(page).getByLabel('Type Garden to confirm').fill('Garden');
  await button(page, 'Delete workspace').click();
  await page.getByText('Garden is deleted').waitFor();
  await page.getByText('4 of 5').waitFor();
  visitor.expectNoFaults();
});

test('a list of notes is sorted, filtered and pinned, and a deleted note comes back', async () => {
  const person = await createAccount('lister');
  const [id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Zinnias', tags: ['annual'] },
    { title: 'Asters', tags: ['perennial', 'blue', 'late', 'tall', 'dry'], pinned: true },
    { title: `Bulbs ${'that flower early '.repeat(8)}`, tags: ['a tag of some length', 'annual'] },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/workspaces/${id}`);
  const titles = () => page.locator('[data-list-row]').allTextContents();
  const expectTitles = (expected: string[]) =>
    expect.poll(async () => (await titles()).map((title) => title.slice(0, 5))).toEqual(expected);
  await page.getByRole('link', { name: 'Zinnias' }).waitFor();
  await expectTitles(['Aster', 'Bulbs', 'Zinni']);
  await expectAccessible(page, 'workspace-full');
  await button(page, 'Unpin Asters').click();
  await page.locator('[data-list-row]', { hasText: 'Bulbs' }).first().waitFor();
  await page.getByLabel('Sort by').selectOption('Title A to Z');
  await button(page, 'Pin Zinnias').click();
  await button(page, 'Unpin Zinnias').waitFor();
  await expectTitles(['Zinni', 'Aster', 'Bulbs']);
  // What is done shows before the service has answered, and is taken back when it refuses.
  const answer = Promise.withResolvers<void>();
  await page.route(/\/api\/notes\/note_\w+$/, async (route) => {
    await answer.promise;
    await route.fulfill({ status: 409, headers: answerHeaders(atrium.urls.web), json: REJECTION });
  });
  await button(page, /^Pin Bulbs/).click();
  await button(page, /^Unpin Bulbs/).waitFor();
  answer.resolve();
  await button(page, /^Pin Bulbs/).waitFor();
  await page.unrouteAll();
  await page.getByLabel('Tag', { exact: true }).selectOption('annual (2)');
  await page.waitForURL(/sort=title&tag=annual/);
  await page.getByRole('link', { name: 'Asters' }).waitFor({ state: 'detached' });
  await expectTitles(['Zinni', 'Bulbs']);
  await page.reload();
  await button(page, 'Delete Zinnias').click();
  await page.getByText('“Zinnias” is deleted').waitFor();
  await expectTitles(['Bulbs']);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await button(page, 'Undo').click();
  await page.getByRole('link', { name: 'Zinnias' }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/notes\/note_/);
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  expect(await page.title()).toMatch(/^Bulbs/);
  // A long list would be loaded again with many requests.
  expect(requested.filter((url) => url.includes('tags=annual'))).toEqual([]);
  visitor.expectNoFaults();
});

test('a search says what it corrected, and how to widen it', async () => {
  const person = await createAccount('searcher');
  const [garden] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Spring', content: 'Plant the **daffodils** <b>deep</b>.' },
  ]);
  await createNotes(atrium.urls.notes, person, 'Home', [
    { title: 'Shopping', content: 'Bread and lamps' },
    { title: 'New note in home and garden' },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.getByRole('searchbox').fill('dafodils');
  await page.getByText('Showing notes for “daffodils”.').waitFor();
  await expectAccessible(page, 'notes-search-corrected');
  await page.goto(`/notes?q=bread&workspace=${garden}`);
  await page.getByText('No note in Garden has “bread”.').waitFor();
  await expectAccessible(page, 'notes-search-empty');
  await button(page, 'Search all workspaces').click();
  await page.getByText('1 note found').waitFor();
  await button(page, 'Copy as').click();
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
  expect(await clipboard(page)).toContain('/api/search?q=bread" -H "Authorization: Bearer ');
  await page.keyboard.press('Control+k');
  await palette(page).fill('lamps');
  const found = page.getByRole('option', { name: 'Shopping' });
  expect(await found.locator('mark').textContent()).toBe('lamps');
  await expectAccessible(page, 'palette-notes');
  await page.keyboard.press('Enter');
  await editor(page).waitFor();
  await page.keyboard.press('Control+k');
  await palette(page).fill('garden');
  await expect
    .poll(async () => (await page.getByRole('option').allInnerTexts()).slice(-2))
    .toEqual(['Search notes for “garden”', 'New note in Garden']);
  await palette(page).fill('new note in home');
  await page.getByRole('option', { name: 'New note in Home', exact: true }).waitFor();
  await page.getByRole('option', { name: 'New note in home and garden' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Untitled note' }).waitFor({ state: 'attached' });
  visitor.expectNoFaults();
});
