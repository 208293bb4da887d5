import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });

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
