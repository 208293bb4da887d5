import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { expectAccessible } from './accessibility.ts';
import { expectFocus } from './dialogs.ts';
import { startJourneys } from './journeys.ts';

const { createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The field, with the error that describes it. */
async function expectRefused(page: Page, name: string): Promise<void> {
  const field = page.getByLabel(name);
  await field.and(page.locator('[aria-invalid=true]')).waitFor();
  await page.locator('[id$=-error]', { hasText: 'must begin with https' }).waitFor();
  await expectFocus(field);
}

test('a URL that an application cannot have is named at its field', async () => {
  const developer = await createAccount('mistyper');
  await using visitor = await openAs(developer, '/developers/applications', 'Your applications');
  const { page } = visitor;
  await button(page, 'New application').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Bookmarks');
  await dialog.getByLabel('Redirect URLs').fill('ftp://bookmarks.example');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Create application').click();
  await expectRefused(page, 'Redirect URLs');
  await expectAccessible(page, 'developers-new-refused');
  await dialog.getByLabel('Redirect URLs').fill('https://bookmarks.example/callback');
  await button(page, 'Create application').click();
  await button(page, 'Done').click();
  await page.getByRole('heading', { name: 'Bookmarks', level: 1 }).waitFor();

  await page.getByLabel('Home page').fill('ftp://bookmarks.example');
  await button(page, 'Save').click();
  await expectRefused(page, 'Home page');
  await page.getByLabel('Home page').fill('');
  await page.getByLabel('URLs after logging out').fill('ftp://bookmarks.example');
  await button(page, 'Save').click();
  await expectRefused(page, 'URLs after logging out');
  // Two may be meant: the message has the URL.
  await page.getByLabel('Redirect URLs').fill('https://bookmarks.example/back');
  await button(page, 'Save').click();
  await page.getByRole('alert').getByText('ftp://bookmarks.example must begin').waitFor();
  visitor.expectNoFaults();
});
