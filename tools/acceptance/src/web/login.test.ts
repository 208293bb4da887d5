import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { call } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { logInAs } from './forms.ts';
import { chooseInAccountMenu, logOut } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { watchScripts } from './network.ts';
import { addAuthenticator, addPasskey, enableTotp, totpCode } from './second-factor.ts';

const { atrium, createAccount, visit } = await startJourneys();

test('the second factor is a code of the app or a recovery code', async () => {
  const ada = await createAccount('ada');
  const { secret, recoveryCodes } = await enableTotp(atrium.urls.auth, ada);
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto('/login');
  await logInAs(page, ada.email);
  const code = page.getByLabel('Verification code');
  await code.fill('000000');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText('The code is not valid').waitFor();
  await expectAccessible(page, 'login-code-wrong');
  await code.fill(totpCode(secret, 1));
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await logOut(page);
  await page.waitForURL('/login');
  await logInAs(page, ada.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expectAccessible(page, 'login-recovery-code');
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});

test('a passkey logs in, by the button and as the second factor', async () => {
  const ben = await createAccount('ben');
  await using visitor = await visit();
  const { page } = visitor;
  await addAuthenticator(page);
  await page.goto('/signup');
  await addPasskey(page, atrium.urls.auth, ben);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await logOut(page);
  await page.waitForURL('/login');
  await logInAs(page, ben.email);
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
  await expectAccessible(page, 'login-second-passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});

test('a passkey that the browser suggests logs in without a button', async () => {
  const sue = await createAccount('sue');
  await using visitor = await visit();
  const { page } = visitor;
  await addAuthenticator(page, { suggests: true });
  await page.goto('/signup');
  await addPasskey(page, atrium.urls.auth, sue);
  await page.goto('/login');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});

test.each([['en-GB'], ['de-DE']])(
  'the login page has at most 150 kB of script in %s',
  async (locale) => {
    await using visitor = await visit(locale);
    const { page } = visitor;
    const scriptBytes = watchScripts(page);
    await page.goto('/login');
    await page.locator('button[type=submit]').waitFor();
    const bytes = await scriptBytes();
    // Less would mean that something has not been counted.
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(150_000);
  },
);

test('the next person at the same tab sees nothing of the former account', async () => {
  const [eli, fay] = await Promise.all([createAccount('eli'), createAccount('fay')]);
  const { accessToken: token } = eli;
  await call('POST', `${atrium.urls.notes}/api/workspaces`, { token, body: { name: 'Secrets' } });
  await using visitor = await visit();
  const { page } = visitor;
  const openPlan = async () => {
    await chooseInAccountMenu(page, 'Account');
    await page.getByRole('link', { name: 'Plan' }).click();
  };
  await page.goto('/login');
  await logInAs(page, eli.email);
  await openPlan();
  await page.getByText('Notes and templates in Secrets').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  const otherTab = await visitor.context.newPage();
  await otherTab.goto('/');
  await logOut(otherTab);

  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await logInAs(page, fay.email);
  // Without an answer nothing can replace what the page may have kept.
  await page.route('**/api/workspaces*', () => undefined);
  await openPlan();
  await page.locator('[aria-busy]').first().waitFor();
  expect(await page.getByText('Notes and templates in Secrets').count()).toBe(0);
});

test('someone uses the pages by keyboard alone', async () => {
  const kim = await createAccount('kim');
  await using visitor = await visit();
  const { page } = visitor;
  const { keyboard } = page;
  await page.goto('/login');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await keyboard.press('Tab');
  await expectFocus(page.getByRole('link', { name: 'Skip to content' }));
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await keyboard.type(kim.email);
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await keyboard.press('Control+k');
  await expectFocus(page.getByRole('combobox', { name: 'Name of a page, or words of a note' }));
  await keyboard.type('webh');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  visitor.expectNoFaults();
});

test('the start page, a URL without a page, and German', async () => {
  await using visitor = await visit();
  const { page, context } = visitor;
  await page.goto('/');
  await page.getByRole('heading', { name: 'Services' }).waitFor();
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `curl ${atrium.urls.web.replace(/\d+$/, (port) => String(Number(port) + 1))}/.well-known/jwks.json`,
  );
  await expectAccessible(page, 'start');
  await page.goto('/nothing/here');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await expectAccessible(page, 'not-found');
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  await expectAccessible(page, 'offline');
  await context.setOffline(false);
  await page.goto('/login');
  await page.getByLabel('Language').selectOption('Deutsch');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await page.locator('html[lang=de]').waitFor();
  await expectAccessible(page, 'login-german');
  // What a service refuses is said in German too.
  const { username } = await createAccount('taken');
  await page.goto('/signup');
  await page.getByLabel('E-Mail').fill('german@example.com');
  await page.getByLabel('Passwort', { exact: true }).fill('password');
  await page.getByRole('button', { name: 'Weiter' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Benutzername').fill(username);
  await page.getByLabel('Geburtsdatum').fill('1990-12-10');
  await page.getByRole('button', { name: 'Konto anlegen' }).click();
  await page.getByText('Dieses Passwort gehört zu den häufigsten').waitFor();
  await page.getByLabel('Passwort', { exact: true }).fill('a long walk in the rain');
  await page.getByRole('button', { name: 'Weiter' }).click();
  await page.getByRole('button', { name: 'Konto anlegen' }).click();
  await page.getByText('Dieser Benutzername ist vergeben').waitFor();
  visitor.expectNoFaults();
});
