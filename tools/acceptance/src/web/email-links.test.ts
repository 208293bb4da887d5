import { expect, test } from 'vitest';
import { PASSWORD, register, uniqueInput } from '../accounts.ts';
import { call } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { emailedPath, fillSignUp, logInAs, signUp } from './forms.ts';
import { inputMethod } from './input-methods.ts';
import { logOut } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

test('a new email address is confirmed with the password by someone who is logged out', async () => {
  const person = await createAccount('mover');
  const requested = await call('POST', `${atrium.urls.auth}/user/change-email`, {
    token: person.accessToken,
    body: { email: 'moved@example.com', password: PASSWORD },
  });
  expect(requested.status).toBe(202);
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(await emailedPath(atrium.mailbox, 'moved@example.com', 'confirm-email'));
  await page.waitForURL('/confirm-email');
  const confirm = page.getByRole('button', { name: 'Confirm email' });
  const password = page.getByLabel('Password', { exact: true });
  await confirm.click();
  await page.getByText('Password is required').waitFor();
  await page.getByRole('link', { name: 'Forgot password?' }).waitFor();
  await password.fill('a wrong password');
  await confirm.click();
  await page.getByText('The password is wrong').waitFor();
  await expectAccessible(page, 'confirm-email-wrong');
  await password.fill(PASSWORD);
  await confirm.click();
  await page.getByRole('heading', { name: 'Your email is changed' }).waitFor();
  await expectAccessible(page, 'confirm-email-done');

  await page.goto('/login');
  await logInAs(page, 'moved@example.com');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});

test('a link opened beside the session of another account asks for the password of its own', async () => {
  const [mover, other] = await Promise.all([createAccount('mover'), createAccount('other')]);
  const input = uniqueInput('second');
  await register(atrium.urls.auth, input);
  await call('POST', `${atrium.urls.auth}/user/change-email`, {
    token: mover.accessToken,
    body: { email: `new-${mover.email}`, password: PASSWORD },
  });
  await using visitor = await openAs(other, '/links', 'Links');
  const { page } = visitor;
  const password = page.getByLabel('Password', { exact: true });
  const askForPassword = async (button: string) => {
    await page.getByRole('button', { name: button }).click();
    await page.getByText('This link is for another account').waitFor();
    await expectFocus(password);
    await expectAccessible(page, 'email-link-of-other-account');
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: button }).click();
  };
  await page.goto(await emailedPath(atrium.mailbox, input.email, 'verify-email'));
  expect(await page.getByRole('button', { name: 'I did not choose a password' }).count()).toBe(0);
  await askForPassword('Verify email');
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor();
  await page.goto(await emailedPath(atrium.mailbox, `new-${mover.email}`, 'confirm-email'));
  await askForPassword('Confirm email');
  await page.getByRole('heading', { name: 'Your email is changed' }).waitFor();
  visitor.expectNoFaults();
});

test('whoever says that they chose no password learns that the address is verified already', async () => {
  const { email } = await createAccount('verified');
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(await emailedPath(atrium.mailbox, email, 'verify-email'));
  await page.getByRole('button', { name: 'I did not choose a password' }).click();
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor();
  visitor.expectNoFaults();
});

test('someone who did not choose the password of their account sets their own', async () => {
  await using stranger = await visit();
  await signUp(stranger.page, 'unaware');
  await stranger.page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(await emailedPath(atrium.mailbox, 'unaware@example.com', 'verify-email'));
  await page.getByRole('button', { name: 'I did not choose a password' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await expectAccessible(page, 'verify-email-reset');

  await page.goto(await emailedPath(atrium.mailbox, 'unaware@example.com', 'reset-password'));
  await page.getByLabel('New password').fill('another walk in the rain');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  await page.getByRole('link', { name: 'Log in' }).click();
  await logInAs(page, 'unaware@example.com');
  await page.getByText('Email or password is wrong').waitFor();
  await logInAs(page, 'unaware@example.com', { password: 'another walk in the rain' });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});

test('an invitation to a workspace is accepted', async () => {
  const { urls, mailbox } = atrium;
  const owner = await createAccount('host');
  const guest = await createAccount('guest');
  const token = owner.accessToken;
  const body = { name: 'Garden' };
  const workspace = await call('POST', `${urls.notes}/api/workspaces`, { token, body });
  const invitations = `${urls.notes}/api/workspaces/${String(workspace.body['id'])}/invitations`;
  const invitation = { email: guest.email, role: 'editor' };
  expect((await call('POST', invitations, { token, body: invitation })).status).toBe(201);

  await using visitor = await visit();
  const { page } = visitor;
  const path = await emailedPath(mailbox, guest.email, 'invitations');
  await page.goto(path);
  await page.waitForURL('/invitations');
  await page.getByRole('heading', { name: 'Join Garden' }).waitFor();
  await expectAccessible(page, 'invitation');
  await inputMethod.press(page.getByRole('link', { name: 'Log in' }));
  await logInAs(page, guest.email, { inputMethod });
  await page
    .getByText('Ada Example invites you to read and write the notes of this workspace.')
    .waitFor();
  await inputMethod.press(page.getByRole('button', { name: 'Accept invitation' }));
  await page.getByRole('heading', { name: 'You have joined Garden' }).waitFor();
  await expectAccessible(page, 'invitation-accepted');
  await inputMethod.press(page.getByRole('link', { name: 'Show the workspace' }));
  await page.getByRole('heading', { name: 'Garden' }).waitFor();

  await page.goto(path);
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  visitor.expectNoFaults();
});

test('an invited person without an account comes back to the invitation by the email that verifies it', async () => {
  const { urls, mailbox } = atrium;
  const { accessToken: token } = await createAccount('gardener');
  const body = { name: 'Orchard' };
  const workspace = await call('POST', `${urls.notes}/api/workspaces`, { token, body });
  const invitations = `${urls.notes}/api/workspaces/${String(workspace.body['id'])}/invitations`;
  const email = 'newcomer@example.com';
  await call('POST', invitations, { token, body: { email, role: 'viewer' } });

  await using visitor = await visit();
  await visitor.page.goto(await emailedPath(mailbox, email, 'invitations'));
  await visitor.page.getByRole('link', { name: 'Create account' }).click();
  await fillSignUp(visitor.page, 'newcomer');
  await visitor.page.getByRole('heading', { name: 'Check your email' }).waitFor();

  // On another device.
  await using other = await visit();
  const { page } = other;
  await page.goto(await emailedPath(mailbox, email, 'verify-email'));
  await page.waitForURL('/verify-email');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Verify email' }).click();
  await page.getByText('Now you can accept the invitation').waitFor();
  await expectAccessible(page, 'verify-email-invited');
  await page.getByRole('link', { name: 'Log in' }).click();
  await logInAs(page, email);
  await page.waitForURL('/invitations');
  await page.getByText('Ada Example invites you to read the notes of this workspace.').waitFor();
  await expectAccessible(page, 'invitation-signed-in');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByRole('heading', { name: 'You have joined Orchard' }).waitFor();
  visitor.expectNoFaults();
  other.expectNoFaults();
});

test('a login restores an account that waits for deletion', async () => {
  const { accessToken: token, email } = await createAccount('returner');
  const url = `${atrium.urls.auth}/user/me`;
  const deleted = await call('DELETE', url, { token, body: { password: PASSWORD } });
  expect(deleted.status).toBe(202);
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto('/login');
  await logInAs(page, email, { inputMethod });
  await page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor();
  await expectAccessible(page, 'login-restore');
  await inputMethod.press(page.getByRole('button', { name: 'Log out' }));
  await logInAs(page, email, { inputMethod });
  await inputMethod.press(page.getByRole('button', { name: 'Restore account' }));
  await page.getByText('Your account stays').waitFor();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await logOut(page, inputMethod);
  await page.waitForURL('/login');
  await logInAs(page, email, { inputMethod });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});
