import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';
import { PHONE } from './visitor.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });

/** Whether a line is what one sees at its place, with nothing before it. */
const isUncovered = (page: Page, text: string) =>
  editor(page)
    .locator('.cm-line')
    .getByText(text, { exact: true })
    .evaluate((line) => {
      const { left, top } = line.getBoundingClientRect();
      return line.contains(document.elementFromPoint(left + 2, top + 2));
    });

test('the line that the cursor comes to is not covered by the bar above a long note', async () => {
  const person = await createAccount('climber');
  const content = Array.from({ length: 120 }, (_, n) => `line ${n + 1}`).join('\n\n');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Long', content },
  ]);
  await using visitor = await openAs(person, `/notes/${id}`, 'Long');
  const { page } = visitor;
  for (const size of [page.viewportSize(), PHONE.viewport]) {
    if (size !== null) await page.setViewportSize(size);
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await editor(page).getByText('line 120').waitFor();
    await page.keyboard.press('Control+Home');
    await editor(page).getByText('line 1', { exact: true }).waitFor();
    await expect.poll(() => isUncovered(page, 'line 1')).toBe(true);
    await page.keyboard.press('Control+End');
    await editor(page).getByText('line 120').waitFor();
    for (let line = 0; line < 80; line += 1) await page.keyboard.press('ArrowUp');
    await editor(page).getByText('line 80', { exact: true }).waitFor();
    await expect.poll(() => isUncovered(page, 'line 80')).toBe(true);
  }
});
