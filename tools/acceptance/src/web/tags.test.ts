import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { isInView, expectAccessible } from './accessibility.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const expectRows = (page: Page, titles: string[]) =>
  expect.poll(() => page.locator('[data-list-row]').allTextContents()).toEqual(titles);

async function openWorkspace(username: string) {
  const person = await createAccount(username);
  const [id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Asters', tags: ['perennial', 'blue'] },
    { title: 'Cornflowers', tags: ['annual', 'blue'] },
    { title: 'Poppies', tags: ['annual', 'red'] },
    { title: 'Tulips', tags: ['bulb', 'red', 'a tag that is quite a bit longer than most'] },
  ]);
  const visitor = await openAs(person, '/notes', 'Notes');
  await visitor.page.goto(`/workspaces/${id}`);
  return visitor;
}

test('a list is filtered by tags, which are renamed, merged and deleted', async () => {
  await using visitor = await openWorkspace('tagger');
  const { page } = visitor;
  const tag = page.getByLabel('Tag', { exact: true });
  await tag.selectOption('blue (2)');
  await link(page, 'Poppies').waitFor({ state: 'detached' });
  await tag.selectOption('annual (2)');
  await link(page, 'Asters').waitFor({ state: 'detached' });
  await expectRows(page, ['Cornflowers']);
  await page.getByLabel('Notes with').selectOption('With any of these');
  await link(page, 'Poppies').waitFor();
  await page.getByLabel('Sort by').selectOption('Title Z to A');
  await page.reload();
  await link(page, 'Poppies').waitFor();
  await expectRows(page, ['Poppies', 'Cornflowers', 'Asters']);
  await expectAccessible(page, 'list-filtered');
  await button(page, 'Do not filter by blue').click();
  await page.getByLabel('Notes with').selectOption('With none of these');
  await link(page, 'Tulips').waitFor();
  await link(page, 'Poppies').waitFor({ state: 'detached' });
  await button(page, 'Favourites').click();
  await page.getByText('No note fits what you have chosen.').waitFor();
  await button(page, 'Show all notes').click();

  await link(page, 'Tags').click();
  await page.getByRole('heading', { name: 'Tags' }).waitFor();
  await link(page, 'annual').waitFor();
  await expectAccessible(page, 'tags');
  await button(page, 'Actions for perennial').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page).getByLabel('Name').fill('lasting');
  await page.keyboard.press('Enter');
  await page.getByText('perennial is now lasting').waitFor();
  await link(page, 'lasting').waitFor();
  await button(page, 'Undo').click();
  await link(page, 'perennial').waitFor();

  await button(page, 'Actions for bulb').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page).getByLabel('Name').fill('perennial');
  await page.keyboard.press('Enter');
  await page.getByText('Merge bulb into perennial?').waitFor();
  await button(page, 'Merge tags').click();
  await page.getByText('bulb is merged into perennial').waitFor();
  await button(page, 'Actions for red').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('2 notes lose it.').waitFor();
  await button(page, 'Delete tag').click();
  await link(page, 'red').waitFor({ state: 'detached' });
  await link(page, 'perennial').click();
  await link(page, 'Asters').waitFor();
  await expectRows(page, ['Tulips', 'Asters']);
  visitor.expectNoFaults();
});

test('a favourite is found again on the page of all notes and in the palette', async () => {
  await using visitor = await openWorkspace('starrer');
  const { page } = visitor;
  await link(page, 'Asters').waitFor();
  // A list that is still being loaded comes, whatever is done to the one before it.
  const [asked, starred] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/notes\?.*sort=title/, async (route) => {
    asked.resolve();
    await starred.promise;
    await route.continue().catch(() => undefined);
  });
  await page.getByLabel('Sort by').selectOption('Title Z to A');
  await asked.promise;
  const answer = page.waitForResponse(/\/favourite$/);
  await button(page, 'Add Asters to favourites').click();
  await answer;
  starred.resolve();
  await button(page, 'Remove Asters from favourites').waitFor();
  await expectRows(page, ['Tulips', 'Poppies', 'Cornflowers', 'Asters']);
  await link(page, 'Tulips').click();
  await page.getByLabel('Add a tag').focus();
  await page.locator('datalist option', { hasText: 'blue' }).waitFor({ state: 'attached' });
  await button(page, 'Add to favourites').click();
  await button(page, 'Remove from favourites').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Tulips Favourite' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Notes' }).first().click();
  const favourites = page.getByRole('list', { name: 'Favourites' });
  await expect
    .poll(() => favourites.getByRole('link').allTextContents())
    .toEqual(['Tulips', 'Asters']);
  await expectAccessible(page, 'notes-favourites');
  await button(page, 'Remove Tulips from favourites').click();
  await page.getByText('“Tulips” is no longer a favourite').waitFor();
  await button(page, 'Undo').click();
  await favourites.getByRole('link', { name: 'Tulips' }).waitFor();
  visitor.expectNoFaults();
});

test('a workspace that is full says so in view, and the home page what has changed last', async () => {
  const person = await createAccount('filler');
  const titles = Array.from({ length: 100 }, (_, n) => ({ title: `Note ${n}` }));
  const [id, first] = await createNotes(atrium.urls.notes, person, 'Garden', titles);
  await callNotes(atrium.urls.notes, person, 'PATCH', `/api/notes/${first}`, { content: 'x' });
  await callNotes(atrium.urls.notes, person, 'POST', `/api/notes/${first}/share`);
  await using visitor = await openAs(person, '/', 'Hello, Ada Example');
  const { page } = visitor;
  const notes = page.getByRole('region', { name: 'Continue writing' }).getByRole('listitem');
  await notes.first().getByRole('link', { name: 'Note 0', exact: true }).waitFor();
  await page.goto(`/workspaces/${id}`);
  await link(page, 'Note 99').waitFor();
  await expect.poll(() => isInView(page.getByText('100 of 100'))).toBe(true);
  await page.getByText('Notes and templates in your plan').waitFor();
  await expectAccessible(page, 'workspace-limit');
  await button(page, 'New note').click();
  await page.getByText('Your plan allows 100 notes in a workspace').waitFor();
  await button(page, 'Public').click();
  await page.waitForURL(/shared=true/);
  await link(page, 'Note 99').waitFor({ state: 'detached' });
  await expectRows(page, ['Note 0']);
  await page.getByRole('listitem').getByText('Public').waitFor();
  visitor.expectNoFaults();
});

test('tags that are filled in or pasted with commas between them are added each for itself', async () => {
  await using visitor = await openWorkspace('paster');
  const { page } = visitor;
  await link(page, 'Asters').click();
  const field = page.getByLabel('Add a tag');
  const tags = page.getByRole('list', { name: 'Tags' });
  await field.fill('tall,  autumn, blue, , tall');
  await field.press('Enter');
  await button(page, 'Remove autumn').waitFor();
  await expect
    .poll(() =>
      tags.getByRole('button').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)),
    )
    .toEqual(['Remove perennial', 'Remove blue', 'Remove tall', 'Remove autumn']);
  await page.getByText('Saved', { exact: true }).waitFor();
  visitor.expectNoFaults();
});

test('notes of the same title say in the list below which notes they are', async () => {
  const person = await createAccount('repeater');
  const [id, beds] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Beds' },
    { title: 'Plan' },
  ]);
  const create = async (note: object) => {
    const path = `/api/workspaces/${id}/notes`;
    return (await callNotes(atrium.urls.notes, person, 'POST', path, note)).body['id'];
  };
  const roses = await create({ title: 'Roses', parentId: beds });
  await create({ title: 'Plan', parentId: roses });
  await using visitor = await openAs(person, `/workspaces/${id}`, 'Garden');
  const items = visitor.page.getByRole('main').getByRole('listitem');
  await items.filter({ hasText: 'Plan' }).filter({ hasText: 'Beds / Roses' }).waitFor();
  expect(await items.filter({ hasText: 'Beds /' }).count()).toBe(1);
  visitor.expectNoFaults();
});
