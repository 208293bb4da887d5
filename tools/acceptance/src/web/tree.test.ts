import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person } from '../accounts.ts';
import { expectAccessible } from './accessibility.ts';
import { expectFocus } from './dialogs.ts';
import { logInAs } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { callNotes, createNotes } from './notes.ts';
import { PHONE } from './visitor.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

const row = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });

/** The tree as one reads it: each row that is shown, with its level. */
const rows = (page: Page) =>
  page
    .getByRole('treeitem')
    .evaluateAll((items) =>
      items.map((item) => `${item.getAttribute('aria-level')} ${item.textContent}`),
    );

async function expectRows(page: Page, expected: string[]): Promise<void> {
  await expect.poll(() => rows(page)).toEqual(expected);
}

/** Drags one row to a part of the height of another. */
async function drag(page: Page, from: Locator, to: Locator, part: number): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error('A row is not shown');
  await page.mouse.move(start.x + 60, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 4 });
  await page.mouse.move(end.x + 60, end.y + end.height * part, { steps: 4 });
  await page.mouse.up();
}

/** A workspace with three notes, which is open in the tree. */
async function openGarden(name: string) {
  const person = await createAccount(name);
  const notes = [{ title: 'Beds' }, { title: 'Trees' }, { title: 'Seeds' }];
  const [workspaceId = ''] = await createNotes(atrium.urls.notes, person, 'Garden', notes);
  const visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  await row(page, 'Garden').focus();
  await page.keyboard.press('ArrowRight');
  await expectRows(page, ['1 Garden', '2 Beds', '2 Trees', '2 Seeds']);
  return { person, workspaceId, visitor, page };
}

const tree = async (person: Person, workspaceId: string, parentId?: string) => {
  const query = parentId === undefined ? '' : `?parentId=${parentId}`;
  const path = `/api/workspaces/${workspaceId}/tree${query}`;
  const { body } = await callNotes(atrium.urls.notes, person, 'GET', path);
  return (body['data'] as { title: string }[]).map(({ title }) => title);
};

test('a note gets a child, is dragged, and is where it was after a reload', async () => {
  const { visitor, page } = await openGarden('planter');
  await using _visitor = visitor;
  await row(page, 'Beds').hover();
  await page.getByRole('button', { name: 'New note inside Beds' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Roses');
  await page.getByText('Saved', { exact: true }).waitFor();
  await expectRows(page, ['1 Garden', '2 Beds', '3 Roses', '2 Trees', '2 Seeds']);
  await row(page, 'Seeds').click();
  await page.getByRole('heading', { name: 'Seeds', level: 1 }).waitFor();
  await expectRows(page, ['1 Garden', '2 Beds', '3 Roses', '2 Trees', '2 Seeds']);
  expect(await row(page, 'Seeds').getAttribute('aria-current')).toBe('page');

  await drag(page, row(page, 'Seeds'), row(page, 'Beds'), 0.5);
  await page.getByText('“Seeds” is inside “Beds” now').waitFor();
  await expectRows(page, ['1 Garden', '2 Beds', '3 Roses', '3 Seeds', '2 Trees']);
  await page.getByRole('navigation', { name: 'Where the note is' }).getByText('Beds').waitFor();
  await drag(page, row(page, 'Trees'), row(page, 'Roses'), 0.1);
  await expectRows(page, ['1 Garden', '2 Beds', '3 Trees', '3 Roses', '3 Seeds']);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expectRows(page, ['1 Garden', '2 Beds', '3 Roses', '3 Seeds', '2 Trees']);
  await row(page, 'Roses').hover();
  await expectAccessible(page, 'tree');

  await page.reload();
  await expectRows(page, ['1 Garden', '2 Beds', '3 Roses', '3 Seeds', '2 Trees']);
  visitor.expectNoFaults();
});

test('a note is moved by keys, which keep the focus and say what moved', async () => {
  const { person, workspaceId, visitor, page } = await openGarden('keys');
  await using _visitor = visitor;
  const press = (key: string) => page.keyboard.press(key);
  await press('End');
  await expectFocus(row(page, 'Seeds'));
  await press('Alt+Shift+ArrowUp');
  await press('Alt+Shift+ArrowUp');
  await expectRows(page, ['1 Garden', '2 Seeds', '2 Beds', '2 Trees']);
  await expectFocus(row(page, 'Seeds'));
  await page.getByText('“Seeds” is before “Beds” now').waitFor({ state: 'attached' });
  await press('Alt+Shift+ArrowDown');
  await press('Alt+Shift+ArrowRight');
  await expectRows(page, ['1 Garden', '2 Beds', '3 Seeds', '2 Trees']);
  await expectFocus(row(page, 'Seeds'));
  await press('Alt+Shift+ArrowLeft');
  await expectRows(page, ['1 Garden', '2 Beds', '2 Seeds', '2 Trees']);
  await expectFocus(row(page, 'Seeds'));
  await expect.poll(() => tree(person, workspaceId)).toEqual(['Beds', 'Seeds', 'Trees']);
  await press('Home');
  await expectFocus(row(page, 'Garden'));
  await press('ArrowLeft');
  await expectRows(page, ['1 Garden']);
  await press('ArrowRight');
  await press('ArrowDown');
  await press('Enter');
  await page.getByRole('heading', { name: 'Beds', level: 1 }).waitFor();
  visitor.expectNoFaults();
});

test('a note is deleted with all below it, and comes back as a whole', async () => {
  const { person, workspaceId, visitor, page } = await openGarden('pruner');
  await using _visitor = visitor;
  await row(page, 'Trees').focus();
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expectRows(page, ['1 Garden', '2 Beds', '3 Trees', '2 Seeds']);
  await expect.poll(() => tree(person, workspaceId)).toEqual(['Beds', 'Seeds']);
  await row(page, 'Beds').hover();
  await page.getByRole('button', { name: 'Actions for Beds' }).click();
  await expectAccessible(page, 'tree-menu');
  await row(page, 'Beds').hover();
  await page.getByRole('button', { name: 'Actions for Beds' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expectRows(page, ['1 Garden', '2 Seeds']);
  await expect.poll(() => tree(person, workspaceId)).toEqual(['Seeds']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectRows(page, ['1 Garden', '2 Beds', '3 Trees', '2 Seeds']);

  await row(page, 'Trees').hover();
  await page.getByRole('button', { name: 'Actions for Trees' }).click();
  await page.getByRole('menuitem', { name: 'Move…' }).click();
  await page.getByRole('dialog').getByLabel('Inside').selectOption('Seeds');
  await expectAccessible(page, 'tree-move');
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.getByText('“Trees” is inside “Seeds” now').waitFor();
  await expectRows(page, ['1 Garden', '2 Beds', '2 Seeds']);
  visitor.expectNoFaults();
});

test('a new note without a word is kept when another was put below it', async () => {
  const { visitor, page } = await openGarden('grafter');
  await using _visitor = visitor;
  const addNote = async (expected: string[]) => {
    await row(page, 'Garden').hover();
    await page.getByRole('button', { name: 'New note inside Garden' }).click();
    await page.getByRole('textbox', { name: 'Note' }).waitFor();
    await expectRows(page, expected);
  };
  const leave = async () => {
    await row(page, 'Seeds').click();
    await page.getByRole('heading', { name: 'Seeds', level: 1 }).waitFor();
  };
  await addNote(['1 Garden', '2 Beds', '2 Trees', '2 Seeds', '2 Untitled note']);
  await drag(page, row(page, 'Trees'), row(page, 'Untitled note'), 0.5);
  await page.getByText('“Trees” is inside “Untitled note” now').waitFor();
  const kept = ['1 Garden', '2 Beds', '2 Seeds', '2 Untitled note', '3 Trees'];
  await expectRows(page, kept);
  await leave();
  // When the page has removed a later one, it has decided about this one.
  await addNote([...kept, '2 Untitled note']);
  await leave();
  await expectRows(page, kept);
  visitor.expectNoFaults();
});

test('a file goes to the workspace that its open note was moved to', async () => {
  const person = await createAccount('mover');
  const [shed = ''] = await createNotes(atrium.urls.notes, person, 'Shed', []);
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Beds' }]);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  await page.goto(`/notes/${id}`);
  await row(page, 'Garden').focus();
  await page.keyboard.press('ArrowRight');
  await row(page, 'Beds').hover();
  await page.getByRole('button', { name: 'Actions for Beds' }).click();
  await page.getByRole('menuitem', { name: 'Move…' }).click();
  await page.getByRole('dialog').getByLabel('Workspace').selectOption('Shed');
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.getByText('“Beds” is in Shed now').waitFor();
  const sending = page.waitForRequest(/\/attachments/);
  await page
    .locator('main input[type=file]')
    .setInputFiles({ name: 'beds.txt', mimeType: 'text/plain', buffer: Buffer.from('Tulips') });
  expect((await sending).url()).toContain(`/api/workspaces/${shed}/attachments`);
  visitor.expectNoFaults();
});

test('a note that is made in the palette shows in the tree', async () => {
  const { visitor, page } = await openGarden('typist');
  await using _visitor = visitor;
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'New note in Garden' }).click();
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await expectRows(page, ['1 Garden', '2 Beds', '2 Trees', '2 Seeds', '2 Untitled note']);
  visitor.expectNoFaults();
});

test('the tree opens down to a note that is shown by its address', async () => {
  const person = await createAccount('walker');
  const notes = [{ title: 'Beds' }, { title: 'Trees' }];
  const [workspaceId, beds] = await createNotes(atrium.urls.notes, person, 'Garden', notes);
  const path = `/api/workspaces/${workspaceId}/notes`;
  const roses = { title: 'Roses', parentId: beds };
  const { body } = await callNotes(atrium.urls.notes, person, 'POST', path, roses);
  await using visitor = await openAs(person, `/notes/${String(body['id'])}`, 'Roses');
  const { page } = visitor;
  await expectRows(page, ['1 Garden', '2 Beds', '3 Roses', '2 Trees']);
  expect(await row(page, 'Roses').getAttribute('aria-current')).toBe('page');
  await row(page, 'Garden').focus();
  await page.keyboard.press('ArrowLeft');
  await expectRows(page, ['1 Garden']);
  visitor.expectNoFaults();
});

test('a row has its actions on a phone, where nothing hovers', async () => {
  const person = await createAccount('thumb');
  await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Beds' }]);
  await using visitor = await visit('en-GB', PHONE);
  const { page } = visitor;
  await page.goto('/login?return_to=%2Fnotes');
  await logInAs(page, person.email);
  await page.getByRole('button', { name: 'Open menu' }).tap();
  /** The part of a row at its start, or at its end. */
  const tap = async (name: string, fromEndPx: number) => {
    const box = await row(page, name).boundingBox();
    if (box === null) throw new Error(`${name} is not shown`);
    expect(box.height).toBe(44);
    const x = fromEndPx > 0 ? box.x + box.width - fromEndPx : box.x - fromEndPx;
    await page.touchscreen.tap(x, box.y + box.height / 2);
  };
  await tap('Garden', -16);
  await expectRows(page, ['1 Garden', '2 Beds']);
  await tap('Beds', 20);
  await page.getByRole('menuitem', { name: 'Move…' }).waitFor();
  await page.keyboard.press('Escape');
  await tap('Garden', 20);
  await page.getByRole('menuitem', { name: 'New note inside' }).tap();
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await expectRows(page, ['1 Garden', '2 Beds', '2 Untitled note']);
  visitor.expectNoFaults();
});
