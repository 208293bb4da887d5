import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person } from '../accounts.ts';
import { startJourneys } from './journeys.ts';
import { look } from './look.ts';
import { addMember, callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const send = (person: Person, method: string, path: string, body?: object) =>
  callNotes(atrium.urls.notes, person, method, path, body);

const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const here = (page: Page) => page.getByRole('list', { name: 'Also here' });
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
  await look(adas.page, 'note-together');
  expect(await adas.page.getByRole('alert').count()).toBe(0);
  expect(await bens.page.getByRole('alert').count()).toBe(0);

  // Ben writes while his device is offline, so that both change the same line.
  await bens.context.setOffline(true);
  await bens.page.keyboard.type(', who was offline');
  await adas.page.keyboard.press('Control+End');
  await adas.page.keyboard.type(', and Ada');
  await saved(adas.page);
  await bens.context.setOffline(false);
  await bens.page.getByText('The same lines were changed elsewhere').waitFor();

  await send(ada, 'DELETE', `/api/workspaces/${workspaceId}/members/${ben.id}`);
  await here(adas.page).waitFor({ state: 'detached' });
  await adas.page.getByRole('link', { name: 'Garden' }).click();
  await adas.page.getByRole('link', { name: 'Activity' }).click();
  const entries = adas.page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  await entries.first().getByText(`${ada.name} removed ${ben.name}`).waitFor();
  await entries.last().getByText(`${ada.name} created “Plans”`).waitFor();
  await look(adas.page, 'workspace-activity');
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
  await look(bens.page, 'note-removed');
  await bens.page.getByRole('button', { name: 'Copy text' }).click();
  expect(await bens.page.evaluate('navigator.clipboard.readText()')).toBe('first and more');
  await bens.page.getByRole('button', { name: 'Discard' }).click();
  await bens.page.getByRole('heading', { name: 'Notes' }).waitFor();
  await send(ada, 'DELETE', `/api${path}`);
  await eves.page.getByText('This note was deleted, or you may not read it any more').waitFor();
});
