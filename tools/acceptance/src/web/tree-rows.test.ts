import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectFocus } from './dialogs.ts';
import { startJourneys } from './journeys.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const row = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });

/** Whether a row is in the part of the tree that is in view. */
const isInView = (page: Page, name: string) =>
  row(page, name).evaluate((element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 4, top + height / 2));
  });

test('what opened for a note is closed after a reload, unless the person has opened it', async () => {
  const person = await createAccount('rambler');
  const [garden, beds] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Beds' },
  ]);
  const path = `/api/workspaces/${garden}/notes`;
  const roses = { title: 'Roses', parentId: beds };
  const { body } = await callNotes(atrium.urls.notes, person, 'POST', path, roses);
  await using visitor = await openAs(person, `/notes/${String(body['id'])}`, 'Roses');
  const { page } = visitor;
  await row(page, 'Roses').waitFor();
  await row(page, 'Garden').focus();
  await page.keyboard.press('ArrowLeft');
  await row(page, 'Roses').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await row(page, 'Roses').waitFor();
  await page.goto('/notes');
  await row(page, 'Beds').waitFor();
  expect(await row(page, 'Beds').getAttribute('aria-expanded')).toBe('false');
  visitor.expectNoFaults();
});

test('a key finds what the key before it has opened, however late the timers of a page are', async () => {
  const person = await createAccount('sprinter');
  await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Beds' }]);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  await row(page, 'Garden').focus();
  await page.keyboard.press('ArrowRight');
  await row(page, 'Beds').waitFor();
  await page.keyboard.press('ArrowLeft');
  await row(page, 'Beds').waitFor({ state: 'detached' });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.clock.resume();
  await expectFocus(row(page, 'Beds'));
  visitor.expectNoFaults();
});

test('the tree scrolls to the note of the page, and not when a row is opened again', async () => {
  const person = await createAccount('scroller');
  const notes = Array.from({ length: 30 }, (_, index) => ({ title: `Bed ${index + 1}` }));
  const [, ...ids] = await createNotes(atrium.urls.notes, person, 'Garden', notes);
  await using visitor = await openAs(person, `/notes/${String(ids.at(-1))}`, 'Bed 30');
  const { page } = visitor;
  await row(page, 'Bed 30').waitFor();
  await expect.poll(() => isInView(page, 'Bed 30')).toBe(true);

  await row(page, 'Garden').focus();
  await page.keyboard.press('ArrowLeft');
  await row(page, 'Bed 30').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await row(page, 'Bed 30').waitFor();
  expect(await isInView(page, 'Bed 30')).toBe(false);

  await row(page, 'Bed 1').click();
  await page.getByRole('heading', { name: 'Bed 1', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Name of a page' }).fill('Bed 30');
  await page.getByRole('option', { name: /^Bed 30/ }).click();
  await expect.poll(() => isInView(page, 'Bed 30')).toBe(true);
  visitor.expectNoFaults();
});

test('the tree opens the workspace whose page this is, which can be closed there', async () => {
  const person = await createAccount('arriver');
  const [garden] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Beds' }]);
  await using visitor = await openAs(person, `/workspaces/${garden}`, 'Garden');
  const { page } = visitor;
  await row(page, 'Beds').waitFor();
  await row(page, 'Garden').focus();
  await page.keyboard.press('ArrowLeft');
  await row(page, 'Beds').waitFor({ state: 'detached' });
  visitor.expectNoFaults();
});

test('the menu of a row opens where one looks for it: at a right click and with Shift+F10', async () => {
  const person = await createAccount('right-clicker');
  const [, beds] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Beds' }]);
  await using visitor = await openAs(person, `/notes/${beds}`, 'Beds');
  const { page } = visitor;
  const move = page.getByRole('menuitem', { name: 'Move…' });
  // Its script is there, so that the menu could open before the button comes up, which would close it.
  await row(page, 'Beds').hover();
  await page.getByRole('button', { name: 'Actions for Beds' }).waitFor();
  await row(page, 'Beds').click({ button: 'right', delay: 300 });
  await expectFocus(page.getByRole('menuitem', { name: 'New note inside' }));
  await page.keyboard.press('ArrowDown');
  await expectFocus(move);
  await page.keyboard.press('Escape');
  await move.waitFor({ state: 'hidden' });
  await row(page, 'Beds').focus();
  await page.keyboard.press('Shift+F10');
  await expectFocus(page.getByRole('menuitem', { name: 'New note inside' }));
  await move.click();
  await page.getByRole('dialog', { name: 'Move Beds' }).waitFor();
  visitor.expectNoFaults();
});
