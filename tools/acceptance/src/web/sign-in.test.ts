import { expect, test } from 'vitest';
import { PASSWORD, uniqueInput } from '../accounts.ts';
import { expectFocus } from './dialogs.ts';
import { emailedPath, logInAs, signUp } from './forms.ts';
import { inputMethod } from './input-methods.ts';
import { logOut } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';

const { atrium, visit } = await startJourneys();

test('a person signs up, verifies their email and logs in', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const email = 'grace@example.com';
  await signUp(page, 'grace', { inputMethod });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await page.getByText('Verify your email').waitFor();

  await page.goto(await emailedPath(atrium.mailbox, email, 'verify-email'));
  await page.waitForURL('/verify-email');
  await inputMethod.press(page.getByRole('button', { name: 'Verify email' }));
  await page.getByText('Your email is verified').waitFor();
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await expect.poll(() => page.title()).toBe('Home · Atrium');
  await page.getByText('Verify your email').waitFor({ state: 'detached' });
  await expectAccessible(page, 'home');

  await page.reload();
  await logOut(page, inputMethod);
  await page.waitForURL('/login');
  await expectAccessible(page, 'login');
  await page.goto('/webhooks');
  await page.waitForURL('/login?return_to=%2Fwebhooks');
  await logInAs(page, email, { inputMethod });
  await page.waitForURL('/webhooks');
  await expectAccessible(page, 'webhooks');
  await page.goto('/login?return_to=%2Flinks');
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/links');
  visitor.expectNoFaults();
});

test('an email is verified on a device without a session, with the password', async () => {
  await using visitor = await visit();
  await signUp(visitor.page, 'elsewhere');
  await visitor.page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await using other = await visit();
  const { page } = other;
  await page.goto(await emailedPath(atrium.mailbox, 'elsewhere@example.com', 'verify-email'));
  await page.waitForURL('/verify-email');
  await expectAccessible(page, 'verify-email');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Verify email' }).click();
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor();
  await expectAccessible(page, 'verify-email-done');
  visitor.expectNoFaults();
  other.expectNoFaults();
});

test('Enter ends both steps of signing up', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const { email, name, username, birthdate } = uniqueInput('typist');
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Date of birth').fill(birthdate);
  await page.getByLabel('Username').fill(username);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  visitor.expectNoFaults();
});

test('faulty fields say what is wrong, and the first one gets the focus', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Email is required', { exact: true }).waitFor();
  await expectFocus(page.getByLabel('Email'));
  await expectAccessible(page, 'signup-errors');
  await page.getByLabel('Email').fill('taken@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a walk with taken');
  await page.getByRole('button', { name: 'Continue' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await expectFocus(name);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Name is required', { exact: true }).waitFor();
  await expectFocus(name);
  await expectAccessible(page, 'signup-person-errors');

  // That the password must not contain the username shows only once there is one.
  await name.fill('Ada Example');
  await page.getByLabel('Username').fill('taken');
  await page.getByLabel('Date of birth').fill('1990-02-03');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('must not contain').waitFor();
  await expectFocus(page.getByLabel('Password', { exact: true }));

  await signUp(page, 'taken');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await signUp(page, 'taken');
  await page.getByText('Username is already taken').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await page.getByLabel('Email').inputValue()).toBe('taken@example.com');

  // Its owner is told by email; here nobody learns whose the address is.
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Username').fill('taken-too');
  await page.goBack();
  await expectFocus(page.getByLabel('Email'));
  await page.goForward();
  await expectFocus(page.getByLabel('Name', { exact: true }));
  await page.goBack();
  await page.getByLabel('Password', { exact: true }).fill('another walk in the rain');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await expectAccessible(page, 'signup-done');

  visitor.expectNoFaults();
});

test('a wrong password keeps the email that was typed', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto('/login');
  await logInAs(page, 'taken@example.com', { password: 'a wrong password' });
  await page.getByText('Email or password is wrong').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('taken@example.com');
  await expectAccessible(page, 'login-wrong');
  visitor.expectNoFaults();
});

test('a forgotten password is replaced by an emailed link', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const email = 'forgetful@example.com';
  await signUp(page, 'forgetful', { inputMethod });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await logOut(page, inputMethod);
  await page.waitForURL('/login');
  await inputMethod.press(page.getByRole('link', { name: 'Forgot password?' }));
  await expectAccessible(page, 'forgot-password');
  await inputMethod.fill(page.getByLabel('Email'), email);
  await inputMethod.press(page.getByRole('button', { name: 'Send reset link' }));
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await expectAccessible(page, 'forgot-password-done');

  const path = await emailedPath(atrium.mailbox, email, 'reset-password');
  await page.goto(path);
  await page.waitForURL('/reset-password');
  // Seven characters, of two code units each.
  await inputMethod.fill(page.getByLabel('New password'), '🔑'.repeat(7));
  await page.getByText('Too short').waitFor();
  await inputMethod.fill(page.getByLabel('New password'), 'password');
  await inputMethod.press(page.getByRole('button', { name: 'Set new password' }));
  await page.getByText('most common passwords').waitFor();
  await expectAccessible(page, 'reset-password-error');
  await inputMethod.fill(page.getByLabel('New password'), 'another walk in the rain');
  await inputMethod.press(page.getByRole('button', { name: 'Set new password' }));
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  await inputMethod.press(page.getByRole('link', { name: 'Log in' }));
  await logInAs(page, email, { password: 'another walk in the rain', inputMethod });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await page.goto(path);
  await inputMethod.fill(page.getByLabel('New password'), 'a third walk in the rain');
  await inputMethod.press(page.getByRole('button', { name: 'Set new password' }));
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  await expectAccessible(page, 'expired-link');
  visitor.expectNoFaults();
});

test('"this was not me" secures the account', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const email = 'careful@example.com';
  await signUp(page, 'careful', { inputMethod });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await using other = await visit();
  await other.page.goto('/login');
  await logInAs(other.page, email);
  await other.page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await page.goto(await emailedPath(atrium.mailbox, email, 'not-me'));
  await page.waitForURL('/not-me');
  await expectAccessible(page, 'not-me');
  await inputMethod.press(page.getByRole('button', { name: 'Secure my account' }));
  await page.getByRole('heading', { name: 'Your account is secured' }).waitFor();
  await emailedPath(atrium.mailbox, email, 'reset-password');
  await expectAccessible(page, 'not-me-done');
  visitor.expectNoFaults();
});
