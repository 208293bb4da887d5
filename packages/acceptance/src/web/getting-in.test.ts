import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { expectFocus } from './dialogs.ts';
import { emailedPath, logInAs, signUp } from './forms.ts';
import { HANDS } from './hands.ts';
import { startJourneys } from './journeys.ts';
import { look } from './look.ts';

const { atrium, visit } = await startJourneys();

test.each(HANDS)('a person signs up, verifies their email and logs in, by $name', async (hand) => {
  await using visitor = await visit();
  const { page } = visitor;
  const email = `grace-${hand.name}@example.com`;
  await signUp(page, `grace-${hand.name}`, hand);
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await hand.look(page, 'signup-done');

  await page.goto(await emailedPath(atrium.mailbox, email, 'verify-email'));
  await page.waitForURL('/verify-email');
  await hand.look(page, 'verify-email');
  await hand.fill(page.getByLabel('Password', { exact: true }), PASSWORD);
  await hand.press(page.getByRole('button', { name: 'Verify email' }));
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor();
  await hand.look(page, 'verify-email-done');

  await hand.press(page.getByRole('link', { name: 'Log in' }));
  await page.waitForURL('/login');
  await hand.look(page, 'login');
  await logInAs(page, email, { hand });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  expect(await page.title()).toBe('Home · Atrium');
  await hand.look(page, 'home');

  await page.reload();
  await hand.press(page.getByRole('button', { name: 'Log out' }));
  await page.waitForURL('/login');
  await page.goto('/webhooks');
  await page.waitForURL('/login?return_to=%2Fwebhooks');
  await logInAs(page, email, { hand });
  await page.waitForURL('/webhooks');
  await hand.look(page, 'webhooks');
  visitor.expectNoFaults();
});

test('faulty fields say what is wrong, and the first one gets the focus', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await page.getByText('Name is required', { exact: true }).waitFor();
  await expectFocus(name);
  await look(page, 'signup-errors');

  await signUp(page, 'taken');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await signUp(page, 'taken');
  await page.getByText('Username is already taken').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('taken@example.com');

  await page.goto('/login');
  await logInAs(page, 'taken@example.com', { password: 'a wrong password' });
  await page.getByText('Email or password is wrong').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('taken@example.com');
  await look(page, 'login-wrong');
  visitor.expectNoFaults();
});

test.each(HANDS)('a forgotten password is replaced by an emailed link, by $name', async (hand) => {
  await using visitor = await visit();
  const { page } = visitor;
  const email = `forgetful-${hand.name}@example.com`;
  await signUp(page, `forgetful-${hand.name}`, hand);
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto('/login');
  await hand.press(page.getByRole('link', { name: 'Forgot password?' }));
  await hand.look(page, 'forgot-password');
  await hand.fill(page.getByLabel('Email'), email);
  await hand.press(page.getByRole('button', { name: 'Send reset link' }));
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await hand.look(page, 'forgot-password-done');

  const path = await emailedPath(atrium.mailbox, email, 'reset-password');
  await page.goto(path);
  await page.waitForURL('/reset-password');
  await hand.fill(page.getByLabel('New password'), 'password');
  await hand.press(page.getByRole('button', { name: 'Set new password' }));
  await page.getByText('most common passwords').waitFor();
  await hand.look(page, 'reset-password-error');
  await hand.fill(page.getByLabel('New password'), 'another walk in the rain');
  await hand.press(page.getByRole('button', { name: 'Set new password' }));
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  await hand.press(page.getByRole('link', { name: 'Log in' }));
  await logInAs(page, email, { password: 'another walk in the rain', hand });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await page.goto(path);
  await hand.fill(page.getByLabel('New password'), 'a third walk in the rain');
  await hand.press(page.getByRole('button', { name: 'Set new password' }));
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  await hand.look(page, 'expired-link');
  visitor.expectNoFaults();
});

test.each(HANDS)('"this was not me" secures the account, by $name', async (hand) => {
  await using visitor = await visit();
  const { page } = visitor;
  const email = `careful-${hand.name}@example.com`;
  await signUp(page, `careful-${hand.name}`, hand);
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto('/login');
  await logInAs(page, email, { hand });
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await using other = await visit();
  await other.page.goto('/login');
  await logInAs(other.page, email);
  await other.page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await page.goto(await emailedPath(atrium.mailbox, email, 'not-me'));
  await page.waitForURL('/not-me');
  await hand.look(page, 'not-me');
  await hand.press(page.getByRole('button', { name: 'Secure my account' }));
  await page.getByRole('heading', { name: 'Your account is secured' }).waitFor();
  await emailedPath(atrium.mailbox, email, 'reset-password');
  await hand.look(page, 'not-me-done');
  visitor.expectNoFaults();
});
