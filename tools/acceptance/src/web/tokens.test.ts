import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { PASSWORD } from '../accounts.ts';
import { call, text } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { inputMethod } from './input-methods.ts';
import { startJourneys } from './journeys.ts';
import { answerHeaders } from './network.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const failSecondFactors = (page: Page) =>
  page.route('**/user/second-factor', (route) =>
    route.fulfill({
      status: 500,
      headers: answerHeaders(atrium.urls.web),
      json: { error: 'Internal Server Error', message: 'Something went wrong' },
    }),
  );

async function tryAgain(page: Page): Promise<void> {
  await page.getByRole('alert').getByText('Something went wrong').waitFor();
  await page.unroute('**/user/second-factor');
  await inputMethod.press(page.getByRole('button', { name: 'Try again' }));
}

test('a person makes a token for a program, uses and revokes it', async () => {
  const person = await createAccount('automator');
  await using visitor = await openAs(person, '/account/tokens', 'Access tokens');
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  await page.getByText('A token lets a script').waitFor();
  await expectAccessible(page, 'tokens-empty');
  await inputMethod.press(page.getByRole('button', { name: 'New token' }));
  await inputMethod.fill(dialog.getByLabel('Name', { exact: true }), 'Nightly backup');
  await inputMethod.fill(dialog.getByLabel('Password', { exact: true }), PASSWORD);
  await inputMethod.press(dialog.getByRole('button', { name: 'Create token' }));
  await dialog.getByText('Choose what it may do').last().waitFor();
  await expectFocus(dialog.getByRole('checkbox').first());
  await expectAccessible(page, 'tokens-new-error');
  await dialog.getByLabel('Read your notes and workspaces').check();
  await inputMethod.choose(dialog.getByLabel('Expires in'), '30 days');
  await inputMethod.press(dialog.getByRole('button', { name: 'Create token' }));
  await page.getByRole('heading', { name: 'Your new token' }).waitFor();
  await expectAccessible(page, 'tokens-created');
  const token = (await dialog.getByText(/^atrium_pat_/).textContent()) ?? '';
  await inputMethod.press(dialog.getByRole('button', { name: 'Done' }));
  await page.getByText('Never used').waitFor();

  const list = () => call('GET', `${atrium.urls.notes}/api/workspaces`, { token });
  expect((await list()).status).toBe(200);
  await page.reload();
  await page.getByText('Last used').waitFor();
  await expectAccessible(page, 'tokens');
  await inputMethod.press(page.getByRole('button', { name: 'Revoke Nightly backup' }));
  await inputMethod.press(dialog.getByRole('button', { name: 'Revoke', exact: true }));
  await page.getByText('Nightly backup is revoked').waitFor();
  await expect.poll(async () => (await list()).status).toBe(401);
  visitor.expectNoFaults();
});

test.each([
  ['/account/tokens', 'Access tokens', 'New token'],
  ['/developers/applications', 'Your applications', 'New application'],
])('a button of %s that cannot ask for the owner says why', async (path, heading, button) => {
  await using visitor = await openAs(await createAccount('waiter'), '/account', 'Profile');
  const { page } = visitor;
  await failSecondFactors(page);
  await page.goto(path);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await inputMethod.press(page.getByRole('button', { name: button }).first());
  await tryAgain(page);
  await page.getByRole('dialog', { name: button }).waitFor();
});

test('settings of an application that cannot ask for the owner say why', async () => {
  const person = await createAccount('redirecter');
  const redirectUrls = ['https://reading.example/callback'];
  const body = { kind: 'web', name: 'Reading list', redirectUrls, password: PASSWORD };
  const url = `${atrium.urls.auth}/applications`;
  const created = await call('POST', url, { token: person.accessToken, body });
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  await failSecondFactors(page);
  await page.goto(`/developers/applications/${text(created.body, 'id')}`);
  await page.getByLabel('Redirect URLs').fill('https://reading.example/other');
  await inputMethod.press(page.getByRole('button', { name: 'Save', exact: true }));
  await tryAgain(page);
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor();
});

test('a new application says which of its settings is refused', async () => {
  const path = '/developers/applications';
  await using visitor = await openAs(await createAccount('many-urls'), path, 'Your applications');
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  const urls = Array.from({ length: 21 }, (_, index) => `https://reading.example/${index}`);
  await page.getByRole('button', { name: 'New application' }).first().click();
  await dialog.getByLabel('Name', { exact: true }).fill('Reading list');
  await dialog.getByLabel('Redirect URLs').fill(urls.join('\n'));
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Create application' }).click();
  await dialog.getByRole('alert').getByText('must contain at most 20 items').waitFor();
  visitor.expectNoFaults();
});
