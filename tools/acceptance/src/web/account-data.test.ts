import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD, uniqueInput } from '../accounts.ts';
import { call } from '../client.ts';
import { emailedPath, logInAs } from './forms.ts';
import { inputMethod } from './input-methods.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { answerHeaders } from './network.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const dialog = (page: Page) => page.getByRole('dialog');

test('the plan shows how much of its limits is used', async () => {
  const person = await createAccount('planner');
  await using visitor = await openAs(person, '/account/plan', 'Plan');
  const { page } = visitor;
  await page.getByText('0 of 5').waitFor();
  await expectAccessible(page, 'account-plan-empty');
  const { accessToken: token } = person;
  for (const name of [
    'Work',
    'Home',
    'Garden',
    'Travel',
    'A name that is quite a bit longer than most',
  ]) {
    await call('POST', `${atrium.urls.notes}/api/workspaces`, { token, body: { name } });
  }
  await page.reload();
  await page.getByText('5 of 5').waitFor();
  await page.getByText('Notes and templates in Garden').waitFor();
  await expectAccessible(page, 'account-plan');
  visitor.expectNoFaults();
});

test('data is exported and downloaded', async () => {
  const person = await createAccount('exporter');
  await using visitor = await openAs(person, '/account/data', 'Your data');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Request a copy' }).waitFor();
  await expectAccessible(page, 'account-data');
  await inputMethod.press(page.getByRole('button', { name: 'Request a copy' }));
  await page.getByText('Your copy is ready.').waitFor();
  await expectAccessible(page, 'account-data-ready');

  const path = await emailedPath(atrium.mailbox, person.email, 'export');
  await page.goto(path);
  const download = page.waitForEvent('download');
  await inputMethod.press(page.getByRole('button', { name: 'Download' }));
  const saved = await readFile(await (await download).path(), 'utf8');
  expect(Object.keys(JSON.parse(saved) as object)).toEqual(
    expect.arrayContaining(['auth', 'notes', 'links']),
  );
  // An export may be too large for the page to read it: it is saved as it comes.
  const sent = await fetch(`${atrium.urls.auth}/user${path}`, {
    headers: { authorization: `Bearer ${person.accessToken}` },
  });
  expect(saved).toBe(await sent.text());
  visitor.expectNoFaults();
});

test('a deleted account is restored by its login', async () => {
  const person = await createAccount('leaver');
  await using visitor = await openAs(person, '/account/data', 'Your data');
  const { page } = visitor;
  await inputMethod.press(page.getByRole('button', { name: 'Delete account' }));
  await inputMethod.fill(
    dialog(page).getByLabel(`Type ${person.username} to confirm`),
    'someone else',
  );
  await inputMethod.fill(dialog(page).getByLabel('Password', { exact: true }), PASSWORD);
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Delete account' }));
  await dialog(page).getByText('This is not your username').waitFor();
  await expectAccessible(page, 'account-delete');
  await inputMethod.fill(
    dialog(page).getByLabel(`Type ${person.username} to confirm`),
    person.username,
  );
  // It is not answered before the page is left.
  await page.route('**/auth/logout', () => undefined);
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Delete account' }));
  await page.waitForURL('/account/deleted');
  await page.getByText('Everything in it is erased on').waitFor();
  await expectAccessible(page, 'account-deleted');

  await inputMethod.press(page.getByRole('main').getByRole('link', { name: 'Log in' }));
  await logInAs(page, person.email, { inputMethod });
  await page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor();
  await page.goto('/account/data');
  await page.getByText('Your account will be erased').waitFor();
  await expectAccessible(page, 'account-data-deletion');
  await inputMethod.press(page.getByRole('button', { name: 'Restore account' }));
  await page.getByRole('button', { name: 'Delete account' }).waitFor();
  visitor.expectNoFaults();
});

test('an export shows its progress, and that it failed', async () => {
  await using visitor = await openAs(await createAccount('waiting'), '/account', 'Profile');
  const { page } = visitor;
  const answer = { requestedAt: new Date().toISOString(), expiresAt: null, servicesTotal: 4 };
  let status = 'preparing';
  await page.route('**/user/export', (route) =>
    route.fulfill({
      headers: answerHeaders(atrium.urls.web),
      json: { ...answer, status, servicesReady: 3 },
    }),
  );
  await page.getByRole('link', { name: 'Your data' }).click();
  await page.getByText('3 of 4 services are done').waitFor();
  await expectAccessible(page, 'account-data-preparing');
  status = 'failed';
  await page.getByText('The copy could not be prepared.').waitFor();
  await expectAccessible(page, 'account-data-failed');
  visitor.expectNoFaults();
});

test('a page whose data cannot be loaded says so and tries again', async () => {
  await using visitor = await openAs(await createAccount('unlucky'), '/account', 'Profile');
  const { page } = visitor;
  const json = { error: 'Internal Server Error', message: 'Something went wrong' };
  await page.route('**/user/audit*', (route) =>
    route.fulfill({
      status: 500,
      headers: { ...answerHeaders(atrium.urls.web), 'x-request-id': 'b1f0c7f2' },
      json,
    }),
  );
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByText('b1f0c7f2').waitFor();
  await expectAccessible(page, 'account-activity-error');
  await page.unroute('**/user/audit*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page
    .getByRole('button', { name: /^Logged in/ })
    .first()
    .waitFor();
});

test('without a verified email there are no second factors and no export', async () => {
  const input = uniqueInput('unverified');
  await call('POST', `${atrium.urls.auth}/auth/register`, { body: input });
  await using visitor = await openAs(input, '/account/security', 'Security');
  const { page } = visitor;
  await page.getByText('You have no passkeys yet.').waitFor();
  await page.getByRole('button', { name: 'Add passkey', disabled: true }).waitFor();
  await expectAccessible(page, 'account-security-unverified');
  await page.getByRole('button', { name: 'Send it again' }).click();
  await page.getByText('The message is on its way').waitFor();
  visitor.expectNoFaults();
});
