import { launchBrowser } from '@atrium/testkit/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { type Atrium, startAtrium } from '../atrium.ts';
import { emailedPath, logInAs, signUp } from './forms.ts';
import { look } from './look.ts';
import { openVisitor } from './visitor.ts';

let atrium: Atrium;
let browser: Browser;
beforeAll(async () => {
  [atrium, browser] = await Promise.all([startAtrium(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await atrium[Symbol.asyncDispose]();
});

const visit = () => openVisitor(browser, atrium.urls.web);

test('a person signs up, verifies their address, logs in and logs out', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await signUp(page, 'grace');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await look(page, 'signup-done');

  await page.goto(await emailedPath(atrium.mailbox, 'grace@example.com', 'verify-email'));
  await page.waitForURL('/verify-email');
  await look(page, 'verify-email');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Verify email' }).click();
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor();
  await look(page, 'verify-email-done');

  await page.goto('/login');
  await look(page, 'login');
  await logInAs(page, 'grace@example.com');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  expect(await page.title()).toBe('Home · Atrium');
  await look(page, 'home');

  await page.reload();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('/login');
  await page.goto('/webhooks');
  await page.waitForURL('/login?return_to=%2Fwebhooks');
  await logInAs(page, 'grace@example.com');
  await page.waitForURL('/webhooks');
  await look(page, 'webhooks');
  visitor.expectNoFaults();
});

test('faulty fields say what is wrong, and the first one gets the focus', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await page.getByText('Name is required', { exact: true }).waitFor();
  expect(await name.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  await look(page, 'signup-errors');

  await signUp(page, 'taken');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await signUp(page, 'taken');
  await page.getByText('This username is taken').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('taken@example.com');

  await page.goto('/login');
  await logInAs(page, 'taken@example.com', 'a wrong password');
  await page.getByText('Email or password is wrong').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('taken@example.com');
  await look(page, 'login-wrong');
  visitor.expectNoFaults();
});

test('a forgotten password is replaced with the emailed link, once', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await signUp(page, 'forgetful');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await look(page, 'forgot-password');
  await page.getByLabel('Email').fill('forgetful@example.com');
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await look(page, 'forgot-password-done');

  const path = await emailedPath(atrium.mailbox, 'forgetful@example.com', 'reset-password');
  await page.goto(path);
  await page.waitForURL('/reset-password');
  await page.getByLabel('New password').fill('password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('most common passwords').waitFor();
  await look(page, 'reset-password-error');
  await page.getByLabel('New password').fill('another walk in the rain');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  await page.getByRole('link', { name: 'Log in' }).click();
  await logInAs(page, 'forgetful@example.com', 'another walk in the rain');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await page.goto(path);
  await page.getByLabel('New password').fill('a third walk in the rain');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  await look(page, 'expired-link');
  visitor.expectNoFaults();
});

test('"this was not me" secures the account', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await signUp(page, 'careful');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto('/login');
  await logInAs(page, 'careful@example.com');
  await page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();
  await using other = await openVisitor(browser, atrium.urls.web);
  await other.page.goto('/login');
  await logInAs(other.page, 'careful@example.com');
  await other.page.getByRole('heading', { name: 'Hello, Ada Example' }).waitFor();

  await page.goto(await emailedPath(atrium.mailbox, 'careful@example.com', 'not-me'));
  await page.waitForURL('/not-me');
  await look(page, 'not-me');
  await page.getByRole('button', { name: 'Secure my account' }).click();
  await page.getByRole('heading', { name: 'Your account is secured' }).waitFor();
  await emailedPath(atrium.mailbox, 'careful@example.com', 'reset-password');
  await look(page, 'not-me-done');
  visitor.expectNoFaults();
});
