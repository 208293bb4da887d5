import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person } from '../accounts.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { addMember, callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const send = (person: Person, method: string, path: string, body?: object) =>
  callNotes(atrium.urls.notes, person, method, path, body);

const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const here = (page: Page) => page.getByRole('list', { name: 'Also here' });
const button = (page: Page, name: string) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

/** A note that a person has open, with the cursor in it. */
async function open(person: Person, noteId: string) {
  const visitor = await openAs(person, `/notes/${noteId}`, 'Plans');
  await editor(visitor.page).click();
  return visitor;
}

test('two people write in one note, see each other, and are asked about the same line only', async () => {
  const [ada, ben] = [await createAccount('ada'), await createAccount('ben')];
  const [workspaceId = '', noteId = ''] = await createNotes(atrium.urls.notes, ada, 'Garden', [
    { title: 'Plans', content: 'first\n\nmiddle\n\nlast' },
  ]);
  await addMember(atrium, ada, workspaceId, { person: ben, role: 'editor' });
  await using adas = await open(ada, noteId);
  await using bens = await open(ben, noteId);
  for (const { page } of [adas, bens]) await here(page).getByRole('listitem').waitFor();

  await adas.page.keyboard.press('Control+Home');
  await adas.page.keyboard.type('Ada: ');
  await bens.page.keyboard.press('Control+End');
  await bens.page.keyboard.type(' by Ben');
  for (const { page } of [adas, bens]) {
    await editor(page).getByText('Ada: first').waitFor();
    await editor(page).getByText('last by Ben').waitFor();
    await saved(page);
  }
  await expectAccessible(adas.page, 'note-together');
  await send(ben, 'POST', `/api/workspaces/${workspaceId}/notes`, { title: 'Of Ben' });
  await adas.page.getByRole('treeitem', { name: 'Of Ben' }).waitFor();
  expect(await adas.page.getByRole('alert').count()).toBe(0);
  expect(await bens.page.getByRole('alert').count()).toBe(0);

  /** Waits for the service: `Saved` may still be that of before. */
  const stored = (text: string) =>
    expect
      .poll(async () => (await send(ada, 'GET', `/api/notes/${noteId}`)).body['content'])
      .toContain(text);
  // Ben writes while his device is offline: first other words of a line that Ada changes, then the same.
  await bens.context.setOffline(true);
  await bens.page.keyboard.press('Control+Home');
  await bens.page.keyboard.type('Ben and ');
  await adas.page.keyboard.press('Control+Home');
  await adas.page.keyboard.press('End');
  await adas.page.keyboard.type(', again');
  await stored(', again');
  await bens.context.setOffline(false);
  for (const { page } of [adas, bens]) {
    await editor(page).getByText('Ben and Ada: first, again').waitFor();
    await saved(page);
  }
  expect(await bens.page.getByRole('alert').count()).toBe(0);
  await bens.page.keyboard.press('Control+End');
  await bens.context.setOffline(true);
  await bens.page.keyboard.type(', who was offline');
  await adas.page.keyboard.press('Control+End');
  await adas.page.keyboard.type(', and Ada');
  await stored(', and Ada');
  await bens.context.setOffline(false);
  const lastLine = editor(bens.page).getByText('who was offline');
  const before = await lastLine.boundingBox();
  await bens.page.getByText('The same words were changed elsewhere').waitFor();
  expect(await lastLine.boundingBox()).toEqual(before);

  await send(ada, 'DELETE', `/api/workspaces/${workspaceId}/members/${ben.id}`);
  await here(adas.page).waitFor({ state: 'detached' });
  await adas.page.getByRole('link', { name: 'Garden' }).click();
  await adas.page.getByRole('link', { name: 'Activity' }).click();
  const entries = adas.page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  await entries.first().getByText(`${ada.name} removed ${ben.name}`).waitFor();
  await entries.last().getByText(`${ada.name} created “Plans”`).waitFor();
  await expectAccessible(adas.page, 'workspace-activity');
});

test('an editor who is removed keeps the text, and a reader follows what is saved', async () => {
  const [ada, ben, eve] = [
    await createAccount('carla'),
    await createAccount('dora'),
    await createAccount('eve'),
  ];
  const [workspaceId = '', noteId = ''] = await createNotes(atrium.urls.notes, ada, 'Garden', [
    { title: 'Plans', content: 'first' },
  ]);
  await addMember(atrium, ada, workspaceId, { person: ben, role: 'editor' });
  await addMember(atrium, ada, workspaceId, { person: eve, role: 'viewer' });
  await using bens = await open(ben, noteId);
  const path = `/notes/${noteId}`;
  await using eves = await openAs(eve, path, 'Plans');
  await here(eves.page).getByRole('listitem').waitFor();
  await bens.page.keyboard.press('Control+End');
  await bens.page.keyboard.type(' and more');
  await eves.page.getByText('first and more').waitFor();
  await send(ada, 'DELETE', `/api/workspaces/${workspaceId}/members/${ben.id}`);
  await bens.page.getByText('You are no longer a member of this workspace').waitFor();
  await expectAccessible(bens.page, 'note-removed');
  await bens.page.getByRole('button', { name: 'Copy text' }).click();
  expect(await bens.page.evaluate('navigator.clipboard.readText()')).toBe('first and more');
  await bens.page.getByRole('button', { name: 'Discard' }).click();
  await bens.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await bens.page.getByRole('heading', { name: 'Notes' }).waitFor();
  await send(ada, 'DELETE', `/api${path}`);
  await eves.page.getByText('This note was deleted, or you may not read it any more').waitFor();
});

test('a page says whether its note is public now, whoever shares it or stops that', async () => {
  const person = await createAccount('sharer');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plans' }]);
  const share = `/api/notes/${id}/share`;
  await using visitor = await openAs(person, `/notes/${id}`, 'Plans');
  const { page } = visitor;
  const badge = page.getByText('Public', { exact: true });
  await button(page, 'Share').waitFor();
  await send(person, 'POST', share, {});
  await badge.waitFor();
  await send(person, 'DELETE', share);
  await badge.waitFor({ state: 'detached' });

  // A page that hears of nothing asks when it opens the dialog.
  await page.route('**/presence', (route) => route.abort());
  await page.reload();
  await button(page, 'Share').waitFor();
  await send(person, 'POST', share, {});
  await button(page, 'Share').click();
  await dialog(page).getByLabel('Public link').waitFor();
  await button(page, 'Close').click();
  await badge.waitFor();
  await send(person, 'DELETE', share);
  await button(page, 'Share').click();
  await button(page, 'Create public link').click();
  await dialog(page).getByLabel('Public link').waitFor();
});

test('what was changed or deleted elsewhere is chosen, copied or kept', async () => {
  const person = await createAccount('twice');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Plans', content: 'one\n\ntwo\n\nthree of them' },
  ]);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  // A page that hears of nothing.
  await page.route('**/presence', (route) => route.abort());
  await page.goto(`/notes/${id}`);
  await editor(page).click();
  await callNotes(atrium.urls.notes, person, 'PATCH', `/api/notes/${id}`, {
    content: 'ONE\n\ntwo\n\n3 of us',
    title: 'Theirs',
  });
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and four');
  await page.getByRole('textbox', { name: 'Title' }).fill('Mine');
  await page.getByText('The same words were changed elsewhere').waitFor();
  await expectAccessible(page, 'note-collision');
  await button(page, 'Compare and choose').click();
  await button(page, 'Apply choices').click();
  await page.getByText('Choose for every change').waitFor();
  const marks = dialog(page).getByRole('radiogroup').last().locator('mark');
  expect(await marks.allTextContents()).toEqual(['three', ' them and four', '3', ' us']);
  await expectAccessible(page, 'note-choose');
  await page.getByLabel('Keep yours').first().check();
  await page.getByLabel('Keep both').last().check();
  await button(page, 'Apply choices').click();
  await saved(page);
  const { body } = await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`);
  expect(body).toMatchObject({
    title: 'Mine',
    content: 'ONE\n\ntwo\n\nthree of them and four\n\n3 of us',
  });
  await editor(page).focus();
  await page.keyboard.press('Control+z');
  const read = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`)).body['content'];
  await expect.poll(read).toBe('ONE\n\ntwo\n\nthree of them and four');

  await callNotes(atrium.urls.notes, person, 'DELETE', `/api/notes/${id}`);
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and five');
  await page.getByText('This note was deleted').waitFor();
  await expectAccessible(page, 'note-deleted');
  await page.keyboard.type(' and six');
  await page.getByRole('button', { name: 'Copy text' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('and five and six');
  await button(page, 'Save as a new note').click();
  await page.waitForURL((url) => !url.pathname.endsWith(String(id)));
  await page.getByText('and five and six').waitFor();
  await saved(page);
});
