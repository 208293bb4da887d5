import type { Mailbox } from '@atrium/testkit/mailbox';
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, registrationInput } from '../accounts.ts';
import { openVisitor, type Visitor } from './visitor.ts';

/** Fills in and sends the form at /signup. */
export async function signUp(page: Page, username: string): Promise<void> {
  const input = registrationInput(username);
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: true }).fill(input.name);
  await page.getByLabel('Username').fill(input.username);
  await page.getByLabel('Email').fill(input.email);
  await page.getByLabel('Password', { exact: true }).fill(input.password);
  await page.getByLabel('Date of birth').fill(input.birthdate);
  await page.getByLabel('Gender').selectOption('Female');
  await page.getByRole('button', { name: 'Create account' }).click();
}

/** Fills in and sends the form at /login. */
export async function logInAs(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** The path of the link of this kind in the newest email to an address. */
export async function emailedPath(mailbox: Mailbox, email: string, kind: string): Promise<string> {
  const link = new RegExp(`http://\\S+?(/${kind}/[\\w-]+)`);
  await mailbox.waitFor(({ to, text }) => to.includes(email) && link.test(text));
  const mail = mailbox.messages.findLast(({ to, text }) => to.includes(email) && link.test(text));
  return link.exec(mail?.text ?? '')?.[1] ?? '';
}

/** A browser in which a person has logged in and is at this address. */
export async function openLoggedIn(
  browser: Browser,
  webUrl: string,
  { email, path, heading }: { email: string; path: string; heading: string },
): Promise<Visitor> {
  const visitor = await openVisitor(browser, webUrl);
  await visitor.page.goto(`/login?return_to=${encodeURIComponent(path)}`);
  await logInAs(visitor.page, email);
  await visitor.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  return visitor;
}
