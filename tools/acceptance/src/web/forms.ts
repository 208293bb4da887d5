import type { Browser, Page } from 'playwright-core';
import { PASSWORD, registrationInput } from '../accounts.ts';
import type { Inbox } from '../atrium.ts';
import { mouse } from './input-methods.ts';
import { openVisitor, type Visitor } from './visitor.ts';

/** Fills in and sends the form at /signup, on the way to a path. */
export async function signUp(
  page: Page,
  username: string,
  { inputMethod = mouse, path = '/' } = {},
): Promise<void> {
  await page.goto(`/signup?return_to=${encodeURIComponent(path)}`);
  await fillSignUp(page, username, inputMethod);
}

/** The same where the page is open. */
export async function fillSignUp(page: Page, username: string, inputMethod = mouse): Promise<void> {
  const input = registrationInput(username);
  await inputMethod.fill(page.getByLabel('Email'), input.email);
  await inputMethod.fill(page.getByLabel('Password', { exact: true }), input.password);
  await inputMethod.press(page.getByRole('button', { name: 'Continue' }));
  await inputMethod.fill(page.getByLabel('Name', { exact: true }), input.name);
  await inputMethod.fill(page.getByLabel('Username'), input.username);
  await inputMethod.fill(page.getByLabel('Date of birth'), input.birthdate);
  await inputMethod.choose(page.getByLabel('Gender'), 'Female');
  await inputMethod.press(page.getByRole('button', { name: 'Create account' }));
}

/** Fills in and sends the form at /login. */
export async function logInAs(
  page: Page,
  email: string,
  { password = PASSWORD, inputMethod = mouse } = {},
): Promise<void> {
  await inputMethod.fill(page.getByLabel('Email'), email);
  await inputMethod.fill(page.getByLabel('Password', { exact: true }), password);
  await inputMethod.press(page.getByRole('button', { name: 'Log in', exact: true }));
}

/** The path of the link of this kind in the newest email to an address. */
export async function emailedPath(mailbox: Inbox, email: string, kind: string): Promise<string> {
  const link = new RegExp(`http://\\S+?(/${kind}/[\\w-]+(?:\\?[\\w=-]+)?)`);
  await mailbox.waitFor(({ to, text }) => to.includes(email) && link.test(text));
  const mail = (await mailbox.list()).findLast(
    ({ to, text }) => to.includes(email) && link.test(text),
  );
  return link.exec(mail?.text ?? '')?.[1] ?? '';
}

/**
 * A browser in which a person has logged in and is at this address. The login is a request: the form has
 * tests of its own, and its page would cost each test as much as the page that it is about.
 */
export async function openLoggedIn(
  browser: Browser,
  urls: { web: string; auth: string },
  { email, path, heading }: { email: string; path: string; heading: string },
): Promise<Visitor> {
  // Pages reach auth by their own host, whose cookies they have.
  const auth = `http://${new URL(urls.web).hostname}:${new URL(urls.auth).port}`;
  const visitor = await openVisitor(browser, urls.web, { signedInAt: auth });
  const login = await visitor.context.request.post(`${auth}/auth/login`, {
    data: { email, password: PASSWORD },
  });
  if (!login.ok()) throw new Error(`login: ${await login.text()}`);
  await visitor.page.goto(path);
  await visitor.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  return visitor;
}
