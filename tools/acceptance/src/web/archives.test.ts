import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { answerHeaders, REJECTION } from './network.ts';
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
  await page.getByRole('main').getByText('Tulips').waitFor();
  visitor.expectNoFaults();
});

test('an archive is uploaded behind its closed dialog, and a failure is shown', async () => {
  const person = await createAccount('uploader');
  const [shed] = await createNotes(atrium.urls.notes, person, 'Shed', []);
  await using visitor = await openAs(person, `/workspaces/${shed}`, 'Shed');
  const { page } = visitor;
  const button = (name: string) => page.getByRole('button', { name });
  const openImport = async () => {
    await button('Actions for Shed').click();
    await page.getByRole('menuitem', { name: 'Import' }).click();
  };
  const isClosed = Promise.withResolvers<void>();
  await page.route('**/imports', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await isClosed.promise;
    const headers = answerHeaders(atrium.urls.web);
    return route.fulfill({ status: 409, headers, json: REJECTION });
  });
  await openImport();
  await button('Choose a file').waitFor();
  const archive = { name: 'shed.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') };
  await page.locator('input[type=file]').setInputFiles(archive);
  const progress = page.getByRole('progressbar', { name: 'Uploading the archive' });
  // Nothing is sent yet, so the bar is empty.
  await progress.waitFor({ state: 'attached' });
  await expectAccessible(page, 'import-uploading');
  await button('Close').last().click();

  const question = page.waitForEvent('dialog');
  const reload = page.evaluate('void location.reload()');
  expect((await question).type()).toBe('beforeunload');
  await (await question).dismiss();
  await reload;
  await openImport();
  await page.getByText('Uploading the archive').waitFor();
  expect(await button('Choose a file').count()).toBe(0);
  await button('Close').last().click();
  isClosed.resolve();
  await page.getByText(REJECTION.message).waitFor();
  await openImport();
  await page.getByRole('dialog').getByText(REJECTION.message).waitFor();
  await button('Choose a file').waitFor();
  visitor.expectNoFaults();
});
