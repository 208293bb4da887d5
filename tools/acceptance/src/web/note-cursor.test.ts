import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });

/** Whether the cursor stands in view, with nothing over it. */
const isCursorInView = (page: Page) =>
  page.evaluate<boolean>(`{
    const { left, top, height } = getSelection().getRangeAt(0).getBoundingClientRect();
    const isCovered = (y) => document.elementFromPoint(left, y)?.closest('.cm-content') == null;
    height > 0 && !isCovered(top + 2) && !isCovered(top + height - 2);
  }`);

test('the line that one writes in is under no bar and no notice', async () => {
  const person = await createAccount('scroller');
  const lines = Array.from({ length: 80 }, (_, index) => `Line ${index + 1}`);
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Long', content: lines.join('\n') },
  ]);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  // A page that hears of nothing.
  await page.route('**/presence', (route) => route.abort());
  await page.goto(`/notes/${id}`);
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await editor(page).getByText('Line 80', { exact: true }).waitFor();
  for (let line = 0; line < 40; line += 1) await page.keyboard.press('ArrowUp');
  await editor(page).getByText('Line 40', { exact: true }).waitFor();
  await expect.poll(() => isCursorInView(page)).toBe(true);

  await callNotes(atrium.urls.notes, person, 'PATCH', `/api/notes/${id}`, {
    content: lines.with(-1, 'Line 80, theirs').join('\n'),
  });
  await page.keyboard.press('Control+End');
  await page.keyboard.type(', mine');
  await page.getByText('The same words were changed elsewhere').waitFor();
  await page.keyboard.type(' too');
  await expect.poll(() => isCursorInView(page)).toBe(true);
});

test('Hebrew and Arabic begin at the right, line by line, and the arrows follow them', async () => {
  const person = await createAccount('right-to-left');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Words', content: 'Hello\n- שלום עולם\nمرحبا' },
  ]);
  await using visitor = await openAs(person, `/notes/${id}`, 'Words');
  const { page } = visitor;
  const line = (direction: string, text: string) =>
    editor(page).locator(`.cm-line:dir(${direction})`).filter({ hasText: text });
  await line('ltr', 'Hello').waitFor();
  await line('rtl', 'שלום').waitFor();
  await line('rtl', 'مرحبا').waitFor();
  await editor(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('!');
  await line('rtl', 'مرحب!ا').waitFor();
  visitor.expectNoFaults();
});
