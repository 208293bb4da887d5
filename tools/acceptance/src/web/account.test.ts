import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { logIn, PASSWORD } from '../accounts.ts';
import { call } from '../client.ts';
import { emailedPath, logInAs } from './forms.ts';
import { inputMethod } from './input-methods.ts';
import { chooseInAccountMenu } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { answerHeaders } from './network.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

const dialog = (page: Page) => page.getByRole('dialog');

test('the profile has a picture, details and a language', async () => {
  await using visitor = await openAs(await createAccount('profile'), '/account', 'Profile');
  const { page } = visitor;
  await page.getByRole('region', { name: 'Language' }).waitFor();
  await expectAccessible(page, 'account');

  const upload = page.locator('input[type=file]');
  await upload.setInputFiles({
    name: 'notes.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not an image'),
  });
  await page.getByText('This file is not an image').waitFor();
  await upload.setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: await page.screenshot(),
  });
  // The square is chosen by keys, then by dragging: it begins in the middle, at half of the width.
  const view = page.getByRole('slider', { name: 'Your picture' });
  await view.press('ArrowLeft');
  await expect.poll(() => view.getAttribute('aria-valuetext')).toBe('48 %, 50 %');
  await page.getByRole('slider', { name: 'Zoom' }).press('End');
  await view.dragTo(view, { sourcePosition: { x: 60, y: 60 }, targetPosition: { x: 200, y: 200 } });
  await expect.poll(() => view.getAttribute('aria-valuetext')).toBe('40 %, 38 %');
  await expectAccessible(page, 'account-picture');
  await page.getByRole('button', { name: 'Save picture' }).click();
  await page.getByText('Picture saved').waitFor();
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Remove picture' }).waitFor();

  await page.getByLabel('Name', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Name is required').waitFor();
  await expectAccessible(page, 'account-error');
  await page.getByLabel('Name', { exact: true }).fill('Ada von Lovelace');
  await page.getByRole('link', { name: 'Plan' }).click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await expectAccessible(page, 'account-unsaved');
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Profile saved').waitFor();

  await page.getByRole('button', { name: 'Add link' }).click();
  await page.keyboard.type('Website');
  await page.getByRole('button', { name: 'Save links' }).click();
  await page.getByText('URL is required').waitFor();
  await page.getByLabel('URL of link 1').fill('ada.example.com');
  await page.getByRole('button', { name: 'Save links' }).click();
  await page.getByText('Links saved').waitFor();
  const address = page.getByLabel('URL of link 1');
  await expect.poll(() => address.inputValue()).toBe('https://ada.example.com');

  await page.getByRole('region', { name: 'Language' }).getByRole('combobox').selectOption('de');
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada von Lovelace');
  expect(await page.getByLabel('Bezeichnung von Link 1').inputValue()).toBe('Website');
  await expectAccessible(page, 'account-full');
  visitor.expectNoFaults();
});

test('a device on which no language was chosen shows that of the account', async () => {
  const person = await createAccount('traveller');
  await using visitor = await visit('de-DE');
  const { page } = visitor;
  await page.goto('/login?return_to=/account');
  await page.getByLabel('E-Mail').fill(person.email);
  await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Language' }).getByRole('combobox').selectOption('de');
  await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor();

  await using other = await visit('de-DE');
  await other.page.goto('/login?return_to=/account');
  await other.page.getByLabel('Sprache').selectOption('en');
  await logInAs(other.page, person.email);
  await other.page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  const saved = other.page.getByRole('region', { name: 'Language' }).getByRole('combobox');
  await expect.poll(() => saved.inputValue()).toBe('de');
  other.expectNoFaults();
  visitor.expectNoFaults();
});

test('the email changes when the new mailbox confirms it', async () => {
  const newEmail = 'new-mailbox@example.com';
  await using visitor = await openAs(await createAccount('mover'), '/account', 'Profile');
  const { page } = visitor;
  await inputMethod.press(page.getByRole('button', { name: 'Change email' }));
  await inputMethod.fill(dialog(page).getByLabel('New email'), newEmail);
  await inputMethod.fill(dialog(page).getByLabel('Password', { exact: true }), 'not the password');
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Send link' }));
  await dialog(page).getByText('The password is wrong').waitFor();
  await expectAccessible(page, 'account-email-error');
  await inputMethod.fill(dialog(page).getByLabel('Password', { exact: true }), PASSWORD);
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Send link' }));
  await page.getByText(`We sent a link to ${newEmail}.`).waitFor();

  await page.goto(await emailedPath(atrium.mailbox, newEmail, 'confirm-email'));
  await inputMethod.press(page.getByRole('button', { name: 'Confirm email' }));
  await page.getByRole('heading', { name: 'Your email is changed' }).waitFor();
  await inputMethod.press(page.getByRole('link', { name: 'Go to your home page' }));
  await chooseInAccountMenu(page, 'Account', inputMethod);
  await page.getByText(newEmail).waitFor();
  visitor.expectNoFaults();
});

test('a session is revoked, then all others', async () => {
  const person = await createAccount('sessions');
  await using visitor = await openAs(person, '/account/sessions', 'Sessions');
  const { page } = visitor;
  await logIn(atrium.urls.auth, person);
  await page.reload();
  await page.getByText('This session').waitFor();
  const rows = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(3);
  await expectAccessible(page, 'account-sessions');

  await page
    .getByRole('button', { name: /^Log out Chrome/ })
    .first()
    .click();
  await expectAccessible(page, 'account-sessions-confirm');
  await dialog(page).getByRole('button', { name: 'Log out' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Log out all others' }).click();
  await dialog(page).getByRole('button', { name: 'Log out all others' }).click();
  await page.getByText('You are logged in only here.').waitFor();
  await expectAccessible(page, 'account-sessions-only');
  const response = await call('GET', `${atrium.urls.auth}/user/me`, { token: person.accessToken });
  expect(response.status).toBe(401);
  visitor.expectNoFaults();
});

test('the activity is filtered by the URL and read with the keyboard', async () => {
  await using visitor = await openAs(
    await createAccount('active'),
    '/account/activity',
    'Activity',
  );
  const { page } = visitor;
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  await row('Account created').waitFor();
  await expectAccessible(page, 'account-activity');

  await page.getByLabel('Show', { exact: true }).selectOption('Email');
  await page.waitForURL('/account/activity?category=email');
  await row('Account created').waitFor({ state: 'detached' });
  await page.reload();
  await row('Email verified').waitFor();
  const tab = page.getByRole('link', { name: 'Activity' });
  expect(await tab.getAttribute('aria-current')).toBe('page');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row('Account created').waitFor();

  await row('Logged in').first().focus();
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copy the request id' }).first().waitFor();
  await expectAccessible(page, 'account-activity-details');
  await page.goto('/account/activity?category=factor&to=2020-01-01');
  await page.getByText('Nothing matches these filters.').waitFor();
  await expectAccessible(page, 'account-activity-empty');
  visitor.expectNoFaults();
});

test('every page of the account is there in German', async () => {
  await using visitor = await openAs(await createAccount('deutsch'), '/account', 'Profile');
  const { page } = visitor;
  await page.getByRole('region', { name: 'Language' }).getByRole('combobox').selectOption('de');
  const titles = ['Profil', 'Sicherheit', 'Sitzungen', 'Aktivität', 'Tarif', 'Deine Daten'];
  for (const title of titles) {
    await page
      .getByRole('navigation', { name: 'Konto' })
      .getByRole('link', { name: title })
      .click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    const loading = page.locator('[aria-busy]');
    await expect.poll(() => loading.count()).toBe(0);
    expect(await page.getByRole('main').innerText()).not.toMatch(/\w on \w/);
    await expectAccessible(page, `account-de-${titles.indexOf(title) + 1}`);
  }
  visitor.expectNoFaults();
});

test('an outcome that is unknown is told in German', async () => {
  await using visitor = await openAs(await createAccount('ungewiss'), '/account', 'Profile');
  const { page } = visitor;
  await page.getByRole('region', { name: 'Language' }).getByRole('combobox').selectOption('de');
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor();
  await page.route('**/user/me', (route) =>
    route.fulfill({
      status: 500,
      headers: { ...answerHeaders(atrium.urls.web), 'error-code': 'outcome-unknown' },
      json: { error: 'Internal Server Error', message: 'The outcome is unknown' },
    }),
  );
  await page.getByLabel('Über dich').fill('Analystin');
  await page.getByRole('button', { name: 'Speichern', exact: true }).click();
  await page.getByRole('alert').getByText('Vielleicht hat es geklappt.').waitFor();
});
