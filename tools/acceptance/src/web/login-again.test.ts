import { expect, test } from 'vitest';
import { PASSWORD, type Person, uniqueInput } from '../accounts.ts';
import { call } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { logOut } from './account-menu.ts';
import { logInAs } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { enableTotp, totpCode } from './second-factor.ts';
import type { Visitor } from './visitor.ts';

const { atrium, createAccount, openAs } = await startJourneys();

async function endSession({ page, context }: Visitor): Promise<void> {
  const otherTab = await context.newPage();
  await otherTab.goto('/');
  await logOut(otherTab);
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
}

async function requestDeletion({ accessToken: token }: Person): Promise<void> {
  const url = `${atrium.urls.auth}/user/me`;
  const deleted = await call('DELETE', url, { token, body: { password: PASSWORD } });
  expect(deleted.status).toBe(202);
}

test('a session that ends asks for a login over the page, whose work stays', async () => {
  const eve = await createAccount('eve');
  await using visitor = await openAs(eve, '/webhooks', 'Webhooks');
  const { page } = visitor;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Name of a page, or words of a note' }).fill('web');
  await expectAccessible(page, 'palette');

  await endSession(visitor);
  await expectAccessible(page, 'login-again');
  await logInAs(page, eve.email);
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor({ state: 'detached' });
  expect(
    await page.getByRole('combobox', { name: 'Name of a page, or words of a note' }).inputValue(),
  ).toBe('web');
  visitor.expectNoFaults();
});

test('a login over the page restores an account that waits for deletion', async () => {
  const returner = await createAccount('returner');
  await using visitor = await openAs(returner, '/webhooks', 'Webhooks');
  const { page } = visitor;
  await endSession(visitor);
  await requestDeletion(returner);
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await logInAs(page, returner.email);
  await dialog.getByRole('button', { name: 'Restore account' }).click();
  await page.getByText('Your account stays').waitFor();
  await dialog.waitFor({ state: 'detached' });
  visitor.expectNoFaults();
});

test('whoever else logs in over the page restores their account too', async () => {
  const next = await createAccount({ ...uniqueInput('next'), name: 'Next Example' });
  await using visitor = await openAs(await createAccount('former'), '/webhooks', 'Webhooks');
  const { page } = visitor;
  await endSession(visitor);
  await requestDeletion(next);
  await logInAs(page, next.email);
  await page.getByRole('dialog').getByRole('button', { name: 'Restore account' }).click();
  await page.getByRole('button', { name: 'Account of Next Example' }).waitFor();
});

test('a login over the page that was left halfway makes room for one in another tab', async () => {
  const person = await createAccount('halfway');
  await using visitor = await openAs(person, '/webhooks', 'Webhooks');
  const { page, context } = visitor;
  const { secret } = await enableTotp(atrium.urls.auth, person);
  await endSession(visitor);
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await logInAs(page, person.email);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByLabel('Email').waitFor();
  const otherTab = await context.newPage();
  await otherTab.goto('/login');
  await logInAs(otherTab, person.email);
  await otherTab.getByLabel('Verification code').fill(totpCode(secret, 1));
  await otherTab.getByRole('button', { name: 'Verify', exact: true }).click();
  await otherTab.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  visitor.expectNoFaults();
});

test('whoever has no password leaves the login over the page for a new one', async () => {
  await using visitor = await openAs(await createAccount('forgetful'), '/webhooks', 'Webhooks');
  const { page } = visitor;
  await endSession(visitor);
  await page.getByRole('dialog').getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  visitor.expectNoFaults();
});

test('whoever leaves the login over the page is asked about what is not saved', async () => {
  await using visitor = await openAs(await createAccount('unsaved'), '/account', 'Profile');
  const { page } = visitor;
  await page.getByLabel('About you').fill('Analyst');
  await endSession(visitor);
  const forgot = page.getByRole('link', { name: 'Forgot password?' });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await forgot.click();
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
  await forgot.click();
  await expectAccessible(page, 'login-again-unsaved');
  await question.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
  visitor.expectNoFaults();
});
