import { readFile } from 'node:fs/promises';
import { launchBrowser } from '@atrium/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, PASSWORD } from '../accounts.ts';
import { type Atrium, startAtrium } from '../atrium.ts';
import { logInAs, openLoggedIn } from './forms.ts';
import { look } from './look.ts';
import { addAuthenticator, totpCode } from './second-factor.ts';
import type { Visitor } from './visitor.ts';

let atrium: Atrium;
let browser: Browser;
beforeAll(async () => {
  [atrium, browser] = await Promise.all([startAtrium(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await atrium[Symbol.asyncDispose]();
});

/** A new account, logged in and at /account/security. */
async function openSecurity(username: string): Promise<Visitor> {
  const { email } = await createPerson(atrium.urls.auth, atrium.mailbox, username);
  const path = '/account/security';
  const visitor = await openLoggedIn(browser, atrium.urls.web, {
    email,
    path,
    heading: 'Security',
  });
  await addAuthenticator(visitor.page);
  return visitor;
}

const dialog = (page: Page) => page.getByRole('dialog');

async function enterPassword(page: Page, password = PASSWORD): Promise<void> {
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page).getByLabel('Name of the passkey').fill(name);
  await enterPassword(page);
  await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
}

test('a passkey is added, renamed, used for a login and removed', async () => {
  await using visitor = await openSecurity('passkeys');
  const { page } = visitor;
  await page.getByText('You have no passkeys yet.').waitFor();
  await look(page, 'account-security');

  await page.getByRole('button', { name: 'Add passkey' }).click();
  await look(page, 'account-passkey-dialog');
  await enterPassword(page, 'not the password');
  await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page).getByText('The password is wrong').waitFor();
  await look(page, 'account-passkey-dialog-error');
  await page.keyboard.press('Escape');
  await addPasskey(page, 'Laptop');
  await page.getByRole('button', { name: 'I have saved them' }).click();

  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  await dialog(page).getByLabel('Name of the passkey').fill('Work laptop');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Work laptop', { exact: true }).waitFor();
  await look(page, 'account-security-passkey');

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('/login');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await enterPassword(page);
  await dialog(page).getByText('Your browser asks for your passkey next.').waitFor();
  await look(page, 'account-passkey-remove');
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('You have no passkeys yet.').waitFor();
  visitor.expectNoFaults();
});

test('an authenticator app is set up, comes with recovery codes, and is removed', async () => {
  await using visitor = await openSecurity('totp');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Set up' }).click();
  await enterPassword(page);
  await dialog(page).getByRole('button', { name: 'Set up' }).click();
  await page.getByAltText('QR code for the authenticator app').waitFor();
  await look(page, 'account-totp-setup');
  await page.getByRole('button', { name: 'Copy the key' }).click();
  const key = await page.evaluate('navigator.clipboard.readText()');
  await page.getByLabel('Verification code').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('The code is not valid.').waitFor();
  await look(page, 'account-totp-setup-error');
  await page.getByLabel('Verification code').fill(totpCode(String(key)));
  await page.getByRole('button', { name: 'Turn on' }).click();

  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await look(page, 'account-recovery-codes');
  const codes = await dialog(page).getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  for (const code of codes) expect(file).toContain(code);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText(codes[0] ?? '').isVisible()).toBe(true);
  expect(await page.getByRole('heading', { name: 'Security' }).isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 codes are left').waitFor();
  await look(page, 'account-security-totp');

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('/login');
  await logInAs(page, 'totp@example.com');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await page.goto('/account/security');
  await page.getByText('9 codes are left').waitFor();

  await page.getByRole('button', { name: 'Create new codes' }).click();
  await enterPassword(page);
  await dialog(page).getByRole('button', { name: 'Use a recovery code' }).click();
  await dialog(page)
    .getByLabel('Recovery code')
    .fill(codes[1] ?? '');
  await dialog(page).getByRole('button', { name: 'Create new codes' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 codes are left').waitFor();

  await page.getByRole('button', { name: 'Remove' }).click();
  await enterPassword(page);
  await dialog(page)
    .getByLabel('Verification code')
    .fill(totpCode(String(key), 1));
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('You get codes when you add').waitFor();
  visitor.expectNoFaults();
});

test('the password is changed with the keyboard alone', async () => {
  await using visitor = await openSecurity('typist');
  const { page } = visitor;
  const focused = () =>
    page.evaluate<string>('document.activeElement.textContent || document.activeElement.name');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 40 && (await focused()) !== name; presses++) {
      await page.keyboard.press('Tab');
    }
    expect(await focused()).toBe(name);
  };
  await tabTo('Change password');
  await page.keyboard.press('Enter');
  await dialog(page).getByLabel('Current password').waitFor();
  await page.keyboard.type('wrong password');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a new walk in the sun');
  await page.keyboard.press('Enter');
  await page.getByText('The current password is wrong').waitFor();
  await look(page, 'account-password-error');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Password changed.').waitFor();
  await expect.poll(focused, { timeout: 30_000 }).toBe('Change password');
  visitor.expectNoFaults();
});
