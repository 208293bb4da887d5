import { expect, test } from 'vitest';
import { PASSWORD } from '../../../accounts.ts';
import { call } from '../../../client.ts';
import { logOut } from '../../account-menu.ts';
import { expectAccessible } from '../../accessibility.ts';
import { emailedPath } from '../../forms.ts';
import { atrium, createAccount, elsewhere, openAs, visit } from './platform.ts';

test('a new person signs up with a provider, by keyboard, and comes again', async () => {
  elsewhere.person = {
    sub: 'ada',
    email: 'ada@acme.example',
    email_verified: true,
    name: 'Ada Lovelace',
  };
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto('/login?return_to=/links');
  const button = page.getByRole('button', { name: 'Continue with Acme' });
  await button.waitFor();
  await page.getByLabel('Email').fill('ada@acme.example');
  await page.getByText('People of acme.example log in with Acme.').waitFor();
  await expectAccessible(page, 'login-with-providers');
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Create account' }).waitFor();
  await page.getByText('Acme has confirmed your email address ada@acme.example').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
  await expectAccessible(page, 'provider-sign-up');
  await page.getByLabel('Username').fill('ada-of-acme');
  await page.getByLabel('Date of birth').fill('1990-05-17');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();

  await page.goto('/account/security');
  await page.getByText('Acme · ada@acme.example').waitFor();
  await page.getByText('Your account has no password.').waitFor();
  await expectAccessible(page, 'security-providers');
  const dialog = page.getByRole('dialog');
  const expectPasswordFirst = async (button: string) => {
    await page.getByRole('button', { name: button }).click();
    await dialog.getByText('Your account has no password.').waitFor();
    expect(await dialog.getByLabel('Password').count()).toBe(0);
  };
  await expectPasswordFirst('Change password');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expectPasswordFirst('Set up');
  await expectAccessible(page, 'security-password-first');
  await page.goto('/account');
  await expectPasswordFirst('Change email');
  await dialog.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor();

  await page.goto('/links');
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  const otherTab = await visitor.context.newPage();
  await otherTab.goto('/');
  await logOut(otherTab);
  await dialog.getByText('Your session has ended.').waitFor();
  await dialog.getByRole('button', { name: 'Continue with Acme' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();

  await using again = await visit();
  await again.page.goto('/signup');
  await again.page.getByRole('button', { name: 'Continue with Acme' }).click();
  await again.page.getByRole('button', { name: 'Ada Lovelace' }).waitFor();
  await again.page.goto('/login/provider');
  await again.page.getByText('This login waited too long').waitFor();
  await expectAccessible(again.page, 'provider-login-over');
  visitor.expectNoFaults();
});

test('an invited person comes back to the invitation from a provider', async () => {
  const { urls, mailbox } = atrium;
  const { accessToken: token } = await createAccount('inviting');
  const body = { name: 'Orchard' };
  const workspace = await call('POST', `${urls.notes}/api/workspaces`, { token, body });
  const invitations = `${urls.notes}/api/workspaces/${String(workspace.body['id'])}/invitations`;
  const email = 'invited@acme.example';
  await call('POST', invitations, { token, body: { email, role: 'viewer' } });
  elsewhere.person = { sub: 'invited', email, email_verified: true, name: 'Grace Hopper' };

  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(await emailedPath(mailbox, email, 'invitations'));
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue with Acme' }).click();
  await page.getByText('Acme has confirmed your email address').waitFor();
  await page.getByLabel('Username').fill('grace-of-acme');
  await page.getByLabel('Date of birth').fill('1990-05-17');
  await page.keyboard.press('Enter');
  await page.waitForURL('/invitations');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByRole('heading', { name: 'You have joined Orchard' }).waitFor();
  visitor.expectNoFaults();
});

test('a person links a provider after the password, and removes it', async () => {
  const person = await createAccount('linker');
  elsewhere.person = { sub: 'linker', email: person.email, email_verified: true };
  await using stranger = await visit();
  await stranger.page.goto('/login');
  await stranger.page.getByRole('button', { name: 'Continue with Acme' }).click();
  await stranger.page.getByText('There is an account with this email address').waitFor();

  await using visitor = await openAs(person, '/account/security', 'Security');
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Link Acme' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Link Acme' }).click();
  await page.getByText('Acme is linked').waitFor();
  await page.getByText(`Acme · ${person.email}`).waitFor();
  await page.getByRole('button', { name: 'Remove Acme' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Acme is removed').waitFor();
  await page.getByText('None is linked.').waitFor();
  visitor.expectNoFaults();
});
