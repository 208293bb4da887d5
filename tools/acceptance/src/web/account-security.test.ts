import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { PASSWORD, type RegistrationInput, uniqueInput } from '../accounts.ts';
import { logInAs } from './forms.ts';
import { inputMethod } from './input-methods.ts';
import { chooseInAccountMenu, logOut } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { addAuthenticator, totpCode } from './second-factor.ts';
import type { Visitor } from './visitor.ts';

const { createAccount, openAs } = await startJourneys();

/** A new account, logged in and at /account/security. */
async function openSecurity(name: string | RegistrationInput): Promise<Visitor> {
  const person = await createAccount(name);
  const visitor = await openAs(person, '/account/security', 'Security');
  await addAuthenticator(visitor.page);
  return visitor;
}

const dialog = (page: Page) => page.getByRole('dialog');

/** In how many lines each element's text is. */
const countLines = (elements: Element[]) =>
  elements.map((element) => {
    const range = new Range();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });

async function enterPassword(page: Page, password = PASSWORD): Promise<void> {
  await inputMethod.fill(dialog(page).getByLabel('Password', { exact: true }), password);
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await inputMethod.press(page.getByRole('button', { name: 'Add passkey' }));
  await inputMethod.fill(dialog(page).getByLabel('Name of the passkey'), name);
  await enterPassword(page);
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Add passkey' }));
}

test('a passkey is added, renamed, used and removed', async () => {
  await using visitor = await openSecurity('passkeys');
  const { page } = visitor;
  await page.getByText('You have no passkeys yet.').waitFor();
  await expectAccessible(page, 'account-security');

  await inputMethod.press(page.getByRole('button', { name: 'Add passkey' }));
  await expectAccessible(page, 'account-passkey-dialog');
  await enterPassword(page, 'not the password');
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Add passkey' }));
  await dialog(page).getByText('The password is wrong').waitFor();
  await expectAccessible(page, 'account-passkey-dialog-error');
  await page.keyboard.press('Escape');
  await addPasskey(page, 'Laptop');
  await inputMethod.press(page.getByRole('button', { name: 'I have saved them' }));

  await inputMethod.press(page.getByRole('button', { name: 'Rename Laptop' }));
  await inputMethod.fill(dialog(page).getByLabel('Name of the passkey'), 'Work laptop');
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Save' }));
  await page.getByText('Work laptop', { exact: true }).waitFor();
  await expectAccessible(page, 'account-security-passkey');

  await logOut(page, inputMethod);
  await page.waitForURL('/login');
  await inputMethod.press(page.getByRole('button', { name: 'Log in with a passkey' }));
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await chooseInAccountMenu(page, 'Account', inputMethod);
  await inputMethod.press(page.getByRole('link', { name: 'Security' }));
  await inputMethod.press(page.getByRole('button', { name: 'Remove Work laptop' }));
  await enterPassword(page);
  await dialog(page).getByText('Your browser asks for your passkey next.').waitFor();
  await expectAccessible(page, 'account-passkey-remove');
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Remove' }));
  await page.getByText('You have no passkeys yet.').waitFor();
  visitor.expectNoFaults();
});

test('an app is added with recovery codes, and removed', async () => {
  const input = uniqueInput('totp');
  await using visitor = await openSecurity(input);
  const { page } = visitor;
  await inputMethod.press(page.getByRole('button', { name: 'Set up' }));
  await enterPassword(page);
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Set up' }));
  await page.getByAltText('QR code for the authenticator app').waitFor();
  await expectAccessible(page, 'account-totp-setup');
  await inputMethod.press(page.getByRole('button', { name: 'Copy the key' }));
  const key = await page.evaluate('navigator.clipboard.readText()');
  await inputMethod.fill(page.getByLabel('Verification code'), '000000');
  await inputMethod.press(page.getByRole('button', { name: 'Turn on' }));
  await page.getByText('The code is not valid.').waitFor();
  await expectAccessible(page, 'account-totp-setup-error');
  await inputMethod.fill(page.getByLabel('Verification code'), totpCode(String(key)));
  await inputMethod.press(page.getByRole('button', { name: 'Turn on' }));

  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await expectAccessible(page, 'account-recovery-codes');
  const codes = await dialog(page).getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  for (const narrow of [width, 390]) {
    await page.setViewportSize({ width: narrow, height });
    const lines = dialog(page).getByRole('listitem').evaluateAll(countLines);
    expect(await lines).toEqual(codes.map(() => 1));
  }
  await page.setViewportSize({ width, height });
  const download = page.waitForEvent('download');
  await inputMethod.press(page.getByRole('button', { name: 'Download' }));
  const file = await readFile(await (await download).path(), 'utf8');
  for (const code of codes) expect(file).toContain(code);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText(codes[0] ?? '').isVisible()).toBe(true);
  expect(await page.getByRole('heading', { name: 'Security' }).isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await inputMethod.press(page.getByRole('button', { name: 'I have saved them' }));
  await page.getByText('10 codes are left').waitFor();
  await expectAccessible(page, 'account-security-totp');

  await logOut(page, inputMethod);
  await page.waitForURL('/login');
  await logInAs(page, input.email, { inputMethod });
  await inputMethod.press(page.getByRole('button', { name: 'Use a recovery code' }));
  await inputMethod.fill(page.getByLabel('Recovery code'), codes[0] ?? '');
  await inputMethod.press(page.getByRole('button', { name: 'Verify' }));
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await chooseInAccountMenu(page, 'Account', inputMethod);
  await inputMethod.press(page.getByRole('link', { name: 'Security' }));
  await page.getByText('9 codes are left').waitFor();

  await inputMethod.press(page.getByRole('button', { name: 'Create new codes' }));
  await enterPassword(page);
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Use a recovery code' }));
  await inputMethod.fill(dialog(page).getByLabel('Recovery code'), codes[1] ?? '');
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Create new codes' }));
  await inputMethod.press(page.getByRole('button', { name: 'I have saved them' }));
  await page.getByText('10 codes are left').waitFor();

  await inputMethod.press(page.getByRole('button', { name: 'Remove' }));
  await enterPassword(page);
  await inputMethod.fill(dialog(page).getByLabel('Verification code'), totpCode(String(key), 1));
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Remove' }));
  await page.getByText('You get codes when you add').waitFor();
  visitor.expectNoFaults();
});

test('the password is changed', async () => {
  await using visitor = await openSecurity('typist');
  const { page } = visitor;
  const open = page.getByRole('main').getByRole('button', { name: 'Change password' });
  const submit = dialog(page).getByRole('button', { name: 'Change password' });
  await inputMethod.press(open);
  await inputMethod.fill(dialog(page).getByLabel('Current password'), 'wrong password');
  await inputMethod.fill(dialog(page).getByLabel('New password'), 'a new walk in the sun');
  await inputMethod.press(submit);
  await page.getByText('Current password is wrong').waitFor();
  await expectAccessible(page, 'account-password-error');
  await inputMethod.fill(dialog(page).getByLabel('Current password'), PASSWORD);
  await inputMethod.press(submit);
  await page.getByText('Password changed.').waitFor();
  // Where it was before the dialog.
  await open.and(page.locator(':focus')).waitFor();
  visitor.expectNoFaults();
});

test('a password is asked for once it is known that there is one', async () => {
  const person = await createAccount('unknown-yet');
  await using visitor = await openAs(person, '/webhooks', 'Webhooks');
  const { page } = visitor;
  const answer = Promise.withResolvers<void>();
  await page.route('**/user/identities', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change email' }).click();
  const waiting = page.getByRole('region', { name: 'Email' }).locator('[aria-busy=true]');
  await waiting.waitFor({ state: 'attached' });
  expect(await dialog(page).count()).toBe(0);
  answer.resolve();
  await enterPassword(page);
  visitor.expectNoFaults();
});

test('a dialog whose timers run late leaves the focus in the field that was chosen', async () => {
  await using visitor = await openSecurity('late-timers');
  const { page } = visitor;
  const open = page.getByRole('button', { name: 'Change password' });
  const field = dialog(page).getByLabel('New password');
  // What the dialog reads passes through timers too, and is there the second time.
  await open.click();
  await field.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog(page).count()).toBe(0);
  await page.evaluate(`{
    const { setTimeout } = window;
    const held = [];
    window.setTimeout = (run, ms = 0, ...rest) =>
      ms > 0 ? setTimeout(run, ms, ...rest) : -held.push(run);
    window.runHeld = () => {
      window.setTimeout = setTimeout;
      for (const run of held) run();
      return held.length;
    };
  }`);
  await open.click();
  await field.focus();
  expect(await page.evaluate('window.runHeld()')).toBeGreaterThan(0);
  await page.keyboard.type('a new walk in the sun');
  expect(await field.inputValue()).toBe('a new walk in the sun');
  visitor.expectNoFaults();
});
