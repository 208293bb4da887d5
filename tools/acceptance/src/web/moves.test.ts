import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person } from '../accounts.ts';
import { text } from '../client.ts';
import { startJourneys } from './journeys.ts';
import { answerHeaders, REJECTION } from './network.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });

/** A workspace with a note that has three children, and another one. */
async function createGarden(name: string) {
  const person = await createAccount(name);
  const { notes: url } = atrium.urls;
  const [shed = ''] = await createNotes(url, person, 'Shed', [
    { title: 'Shelf' },
    { title: 'Drawer' },
  ]);
  const [garden = '', beds = ''] = await createNotes(url, person, 'Garden', [{ title: 'Beds' }]);
  const ids: string[] = [];
  for (const title of ['Roses', 'Tulips', 'Asters']) {
    const path = `/api/workspaces/${garden}/notes`;
    const { body } = await callNotes(url, person, 'POST', path, { title, parentId: beds });
    ids.push(text(body, 'id'));
  }
  return { person, shed, garden, beds, ids };
}

const titlesOf = async (person: Person, workspaceId: string, parentId?: string) => {
  const query = parentId === undefined ? '' : `?parentId=${parentId}`;
  const path = `/api/workspaces/${workspaceId}/tree${query}`;
  const { body } = await callNotes(atrium.urls.notes, person, 'GET', path);
  return (body['data'] as { title: string }[]).map(({ title }) => title);
};

/** The dialog that moves a note, opened in the tree. */
async function openMoveDialog(page: Page, parents: string[], title: string) {
  for (const parent of parents) {
    await row(page, parent).focus();
    await page.keyboard.press('ArrowRight');
  }
  await row(page, title).hover();
  await button(page, `Actions for ${title}`).click();
  await page.getByRole('menuitem', { name: 'Move…' }).click();
  return page.getByRole('dialog');
}

test('a move that is undone puts a note back where it was', async () => {
  const { person, garden, beds, ids } = await createGarden('returner');
  await using visitor = await openAs(person, `/notes/${ids[1]}`, 'Tulips');
  const { page } = visitor;
  const moveAndUndo = async () => {
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Move or copy' }).click();
    await button(page, 'Move').click();
    await page.getByText('“Tulips” is in Shed now').waitFor();
    await button(page, 'Undo').last().click();
    await page.getByText('“Tulips” is back in Garden').last().waitFor();
  };
  await moveAndUndo();
  await expect.poll(() => titlesOf(person, garden, beds)).toEqual(['Roses', 'Tulips', 'Asters']);

  await page.goto(`/notes/${ids[1]}`);
  await page.route('**/place', (route) =>
    route.fulfill({ status: 409, headers: answerHeaders(atrium.urls.web), json: REJECTION }),
  );
  await moveAndUndo();
  await page.getByText(REJECTION.message).waitFor();
  expect(await titlesOf(person, garden)).toEqual(['Beds', 'Tulips']);
  visitor.expectNoFaults();
});

test('a move is undone also when the sibling before is gone, and that of a template', async () => {
  const { person, garden, beds, ids } = await createGarden('gardener');
  const send = (method: string, path: string, body?: object) =>
    callNotes(atrium.urls.notes, person, method, `/api/notes/${path}`, body);
  await using visitor = await openAs(person, `/notes/${ids[1]}`, 'Tulips');
  const { page } = visitor;
  const move = async () => {
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Move or copy' }).click();
    await button(page, 'Move').click();
    await page.getByText('“Tulips” is in Shed now').waitFor();
  };
  await move();
  await send('DELETE', ids[0] ?? '');
  await button(page, 'Undo').click();
  await page.getByText('“Tulips” is back in Garden').waitFor();
  await expect.poll(() => titlesOf(person, garden, beds)).toEqual(['Asters', 'Tulips']);

  const { body } = await send('POST', `${ids[1]}/copy`, { isTemplate: true });
  await page.goto(`/notes/${text(body, 'id')}`);
  await move();
  // It has no place in the tree.
  let placed = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/place')) placed += 1;
  });
  await button(page, 'Undo').click();
  await page.getByText('“Tulips” is back in Garden').waitFor();
  expect(placed).toBe(0);
  visitor.expectNoFaults();
});

test('a note is moved inside a note of another workspace, none of its former one', async () => {
  const { person, shed, garden, beds } = await createGarden('carrier');
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  const dialog = await openMoveDialog(page, ['Garden', 'Beds'], 'Tulips');
  const inside = () => dialog.getByLabel('Inside').locator('option').allTextContents();
  await expect.poll(inside).toEqual(['No other note', 'Beds']);
  const loading = Promise.withResolvers<void>();
  await page.route(`**/workspaces/${shed}/tree?*`, async (route) => {
    await loading.promise;
    const url = route.request().url().replace('limit=100', 'limit=1');
    await route.continue({ url });
  });
  await dialog.getByLabel('Workspace').selectOption('Shed');
  expect(await inside()).toEqual(['No other note']);
  loading.resolve();
  await expect.poll(inside).toEqual(['No other note', 'Shelf']);
  await dialog.getByRole('button', { name: 'Show more' }).click();
  await dialog.getByLabel('Inside').selectOption('Drawer');

  // The note is in the other workspace by then.
  await page.route('**/place', (route) =>
    route.fulfill({ status: 409, headers: answerHeaders(atrium.urls.web), json: REJECTION }),
  );
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText(REJECTION.message).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await row(page, 'Tulips').waitFor({ state: 'detached' });
  expect(await titlesOf(person, shed)).toEqual(['Shelf', 'Drawer', 'Tulips']);
  await page.unroute('**/place');
  await button(page, 'Undo').click();
  await page.getByText('“Tulips” is back in Garden').waitFor();
  await expect.poll(() => titlesOf(person, garden, beds)).toEqual(['Roses', 'Tulips', 'Asters']);
  visitor.expectNoFaults();
});
