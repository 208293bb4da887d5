import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

test('a link to a note that does not exist offers to create it', async () => {
  const person = await createAccount('linker');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Plans', content: 'above\n\nSee [[Tree care]] first' },
  ]);
  await using visitor = await openAs(person, `/notes/${id}`, 'Plans');
  const { page } = visitor;
  const link = page.getByRole('textbox', { name: 'Note' }).getByRole('link', { name: 'Tree care' });
  await expect.poll(() => link.getAttribute('title')).toBe('No note has this title');
  await link.click({ modifiers: ['ControlOrMeta'] });
  const create = page.getByRole('button', { name: 'Create “Tree care”' });
  await create.waitFor();
  await expectAccessible(page, 'note-link-missing');
  await create.click();
  await page.getByRole('heading', { name: 'Tree care', level: 1 }).waitFor();
  // The link leads to it now.
  await page.goBack();
  await expect.poll(() => link.getAttribute('title')).toBe(null);
  await link.click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('heading', { name: 'Tree care', level: 1 }).waitFor();
  visitor.expectNoFaults();
});
