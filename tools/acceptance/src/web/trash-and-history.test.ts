import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectFocus } from './dialogs.ts';
import { keyboard } from './input-methods.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name });

test('a note comes back from the trash, goes for good, and the trash is emptied', async () => {
  const person = await createAccount('thrower');
  const garden = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Tulips' },
    { title: `Bulbs ${'that flower early '.repeat(8)}` },
  ]);
  const home = await createNotes(atrium.urls.notes, person, 'Home', [{ title: 'Lamps' }]);
  for (const title of ['Desk', 'Hall']) {
    await callNotes(atrium.urls.notes, person, 'POST', `/api/workspaces/${home[0]}/notes`, {
      title,
      parentId: home[1],
    });
  }
  await using visitor = await openAs(person, '/trash', 'Trash');
  const { page } = visitor;
  await page.getByText('The trash is empty.').waitFor();
  await expectAccessible(page, 'trash-empty');
  for (const id of [...garden.slice(1), ...home.slice(1)]) {
    await callNotes(atrium.urls.notes, person, 'DELETE', `/api/notes/${id}`);
  }
  await page.reload();
  await page.getByText('Lamps and 2 notes below').waitFor();
  await page.getByText('Home · Deleted just now · Gone for good').waitFor();
  await expectAccessible(page, 'trash');
  await button(page, 'Restore Lamps').focus();
  await page.keyboard.press('j');
  await expectFocus(page.getByRole('button', { name: /^Restore Bulbs/ }));
  await page.keyboard.press('k');
  await expectFocus(button(page, 'Restore Lamps'));
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await keyboard.press(button(page, 'Restore Tulips'));
  await page.getByText('“Tulips” is restored').waitFor();
  await button(page, 'Restore Tulips').waitFor({ state: 'detached' });
  // A long trash would be loaded again with many requests.
  expect(requested.filter((url) => url.includes('/api/trash'))).toEqual([]);
  await button(page, 'Undo').click();
  await button(page, 'Restore Tulips').waitFor();
  await button(page, 'Delete for good: Lamps').click();
  await page.getByText('The note, the 2 notes below it and their versions are gone.').waitFor();
  await inDialog(page, 'Delete for good').click();
  await page.getByText('“Lamps” is deleted for good').waitFor();
  await button(page, 'Empty trash').click();
  await page.getByText('2 notes in Garden are deleted for good.').waitFor();
  await expectAccessible(page, 'trash-empty-it');
  await inDialog(page, 'Empty trash').click();
  await page.getByText('The trash is empty. A note').waitFor();
  await expect.poll(() => button(page, 'Empty trash').count()).toBe(0);
  visitor.expectNoFaults();
});

test('a note that is deleted from a list takes what is below it along, and back', async () => {
  const person = await createAccount('lister');
  const [id, lamps] = await createNotes(atrium.urls.notes, person, 'Home', [
    { title: 'Lamps' },
    { title: 'Rugs' },
  ]);
  const add = (title: string, parentId: unknown) =>
    callNotes(atrium.urls.notes, person, 'POST', `/api/workspaces/${id}/notes`, {
      title,
      parentId,
    });
  const { body: desk } = await add('Desk', lamps);
  await add('Bulbs', desk['id']);
  await using visitor = await openAs(person, `/workspaces/${id}`, 'Home');
  const { page } = visitor;
  const main = page.getByRole('main');
  const expectTitles = (expected: string[]) =>
    expect.poll(() => main.locator('[data-list-row]').allTextContents()).toEqual(expected);
  await main.getByLabel('Sort by').selectOption('Title A to Z');
  await expectTitles(['Bulbs', 'Desk', 'Lamps', 'Rugs']);
  await button(page, 'Delete Lamps').click();
  await page.getByText('“Lamps” is deleted with everything below it').waitFor();
  await expectTitles(['Rugs']);
  await button(page, 'Undo').click();
  await expectTitles(['Bulbs', 'Desk', 'Lamps', 'Rugs']);
  visitor.expectNoFaults();
});

test('notes of workspaces beyond the first page of them come back from the trash', async () => {
  const person = await createAccount('hoarder');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Oldest', [{ title: 'Tulips' }]);
  for (const name of ['Older', 'New']) await createNotes(atrium.urls.notes, person, name, []);
  await callNotes(atrium.urls.notes, person, 'DELETE', `/api/notes/${id}`);
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  await page.route(/\/api\/workspaces\?/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
  );
  await page.goto('/trash');
  await page.getByText('Oldest · Deleted just now').waitFor();
  await button(page, 'Restore Tulips').click();
  await page.getByText('“Tulips” is restored').waitFor();
  visitor.expectNoFaults();
});

test('versions of a note are named, compared and restored', async () => {
  const person = await createAccount('historian');
  const lines = Array.from({ length: 1_200 }, (_, index) => `Line ${index}`);
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Plans', content: ['# October', ...lines, 'Plant roses early.'].join('\n') },
  ]);
  const path = `/api/notes/${id}`;
  await callNotes(atrium.urls.notes, person, 'POST', `${path}/versions`, { name: 'First draft' });
  await callNotes(atrium.urls.notes, person, 'PATCH', path, {
    title: 'Plans for autumn',
    content: ['# October', ...lines, 'Plant tulips early.', '', 'And water.'].join('\n'),
    tags: ['bulbs'],
  });
  await using visitor = await openAs(person, `/notes/${id}`, 'Plans for autumn');
  const { page } = visitor;
  await button(page, 'More').click();
  await expectAccessible(page, 'note-menu');
  // A menu closes when the window changes its size.
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  const added = page.locator('ins');
  await added.filter({ hasText: 'Added: Plant tulips early.' }).waitFor();
  await page.locator('del', { hasText: 'Removed: Plant roses early.' }).waitFor();
  await page.getByText('Tags added: bulbs').waitFor();
  await expectAccessible(page, 'history');
  await keyboard.press(button(page, 'Show 1,195 unchanged lines'));
  await page.getByText('Line 9').waitFor();
  await button(page, 'Name current version').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Sent to the printer');
  await expectAccessible(page, 'history-name');
  await button(page, 'Name version').click();
  await page.getByText('is named Sent to the printer').waitFor();
  await page.getByRole('link', { name: 'First draft' }).click();
  await page.getByText('This is the oldest version.').waitFor();
  await expectAccessible(page, 'history-oldest');
  await page.getByLabel('Compare with').selectOption({ index: 1 });
  await page.waitForURL(/version=ver_.*&against=ver_/);
  await added.filter({ hasText: 'tulips' }).waitFor();
  await button(page, 'Restore this version').click();
  await page.getByText('The version is restored').waitFor();
  await added.filter({ hasText: 'roses' }).waitFor();
  await button(page, 'Undo').click();
  await added.filter({ hasText: 'tulips' }).waitFor();
  const { body } = await callNotes(atrium.urls.notes, person, 'GET', path);
  expect(body).toMatchObject({ title: 'Plans for autumn', tags: ['bulbs'] });
  expect(String((body as { content: string }).content)).toContain('And water.');
  visitor.expectNoFaults();
});

test('a version that has changed since the page was opened is shown before it is named', async () => {
  const person = await createAccount('namer');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plans' }]);
  await using visitor = await openAs(person, `/notes/${id}/history`, 'History');
  const { page } = visitor;
  await button(page, 'Name current version').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Sent');
  await callNotes(atrium.urls.notes, person, 'PATCH', `/api/notes/${id}`, { title: 'Beds' });
  await button(page, 'Name version').click();
  await page.getByRole('alert').getByText('changed').waitFor();
  await page
    .getByRole('link', { name: 'Beds', includeHidden: true })
    .waitFor({ state: 'attached' });
  await button(page, 'Name version').click();
  await page.getByText('is named Sent').waitFor();
  visitor.expectNoFaults();
});

test('a version is not restored over what was written since the page was opened', async () => {
  const person = await createAccount('restorer');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Plans', content: 'Roses' },
  ]);
  const path = `/api/notes/${id}`;
  const write = async (content: string) => {
    // Otherwise what one person writes within five minutes is one version.
    await callNotes(atrium.urls.notes, person, 'POST', `${path}/versions`, { name: 'Before' });
    await callNotes(atrium.urls.notes, person, 'PATCH', path, { content });
  };
  await write('Tulips');
  const read = async () => (await callNotes(atrium.urls.notes, person, 'GET', path)).body;
  await using visitor = await openAs(person, `/notes/${id}/history`, 'History');
  const { page } = visitor;
  await page.getByRole('link', { name: 'Before' }).click();
  await page.getByText('This is the oldest version.').waitFor();
  await write('Lilies');
  await button(page, 'Restore this version').click();
  await page.getByText('The note has changed in the meantime').waitFor();
  expect(await read()).toMatchObject({ content: 'Lilies' });
  await expect.poll(() => page.getByRole('link', { name: 'Before' }).count()).toBe(2);
  await button(page, 'Restore this version').click();
  await page.getByText('The version is restored').waitFor();
  expect(await read()).toMatchObject({ content: 'Roses' });
  await button(page, 'Undo').click();
  await expect.poll(read).toMatchObject({ content: 'Lilies' });
  visitor.expectNoFaults();
});
