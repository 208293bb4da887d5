import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

test('a workspace is exported, and its archive imported into another', async () => {
  const person = await createAccount('archivist');
  const [garden] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Tulips', content: 'Red' },
    { title: 'Bulbs' },
  ]);
  const [home] = await createNotes(atrium.urls.notes, person, 'Home', []);
  await using visitor = await openAs(person, `/workspaces/${garden}`, 'Garden');
  const { page } = visitor;
  const button = (name: string) => page.getByRole('button', { name });
  await button('Actions for Garden').click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export' }).click();
  const archive = await download;
  expect(archive.suggestedFilename()).toBe('Garden.zip');

  await page.goto(`${atrium.urls.web}/workspaces/${home}`);
  await button('Actions for Home').click();
  await page.getByRole('menuitem', { name: 'Import' }).click();
  await button('Choose a file').waitFor();
  await expectAccessible(page, 'import');
  const input = page.locator('input[type=file]');
  await input.setInputFiles(await archive.path());
  await page.getByText('2 notes were created.').waitFor();
  await expectAccessible(page, 'import-complete');
  await input.setInputFiles(await archive.path());
  await page.getByText('0 notes were created. 2 were there already.').waitFor();
  const broken = { name: 'broken.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') };
  await input.setInputFiles(broken);
  await page.getByText('The import failed').waitFor();
  await expectAccessible(page, 'import-refused');
  await button('Close').last().click();
  await page.getByText('Tulips').waitFor();
  visitor.expectNoFaults();
});
