import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { call, text } from '../client.ts';
import { logInAs } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';

const { atrium, createAccount, visit, openAs } = await startJourneys();

interface DeviceCodes {
  deviceCode: string;
  userCode: string;
  /** The page's path with the code. */
  path: string;
}

const CLIENT_ID = 'app_00000000000000000000000000';

async function post(path: string, fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...fields });
  const response = await fetch(`${atrium.urls.auth}${path}`, { method: 'POST', body });
  return (await response.json()) as Record<string, unknown>;
}

/** The command of Atrium asks to be logged in. */
async function startDeviceLogin(name: string): Promise<DeviceCodes> {
  const scope = 'openid offline_access account:read';
  const body = await post('/oauth/device', { scope, device_name: name });
  const { pathname, search, origin } = new URL(text(body, 'verification_uri_complete'));
  expect(origin).toBe(atrium.urls.web);
  return {
    deviceCode: text(body, 'device_code'),
    userCode: text(body, 'user_code'),
    path: `${pathname}${search}`,
  };
}

const completeDeviceLogin = ({ deviceCode }: DeviceCodes) =>
  post('/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
  });

/** Sends the dialog that asks for the password before a confirmation. */
async function confirm(page: Page, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

test('a login confirmed after logging in lets the device in', async () => {
  const { email } = await createAccount('maker');
  const codes = await startDeviceLogin('atrium on a-laptop-with-a-long-name-in-the-basement-2');
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(codes.path);
  await page.waitForURL(/\/login\?return_to=/);
  await logInAs(page, email);
  await page.getByRole('heading', { name: 'Log in a device' }).waitFor();
  await page.getByText(codes.userCode, { exact: true }).waitFor();
  await page.getByText('atrium on a-laptop-with').waitFor();
  await page.getByText('127.0.0.0/24').waitFor();
  await expectAccessible(page, 'device-login');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await confirm(page, 'a wrong password');
  await page.getByText('The password is wrong').waitFor();
  await expectAccessible(page, 'device-login-password');
  await confirm(page);
  await page.getByRole('heading', { name: 'Login confirmed' }).waitFor();
  await expectAccessible(page, 'device-login-confirmed');
  const completed = await completeDeviceLogin(codes);
  expect(text(completed, 'refresh_token')).not.toBe('');
  const list = page.getByRole('link', { name: 'Applications' }).last();
  await list.click();
  await page.getByText('a-laptop-with-a-long-name-in-the-basement-2').waitFor();
  await expectAccessible(page, 'device-login-listed');
  await page.getByRole('button', { name: /^Log out atrium on/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await page.getByText('is logged out').waitFor();
  await page
    .getByText('a-laptop-with-a-long-name-in-the-basement-2 ·')
    .waitFor({ state: 'detached' });

  // The code is used up.
  await page.goto(codes.path);
  await page.getByText('This code does not work.').waitFor();
  expect(await page.getByLabel('Code').inputValue()).toBe(codes.userCode);
  await expectAccessible(page, 'device-login-unknown-code');
  visitor.expectNoFaults();
});

test('a typed code leads to its login, and a denied login keeps the device out', async () => {
  const person = await createAccount('typer');
  const codes = await startDeviceLogin('backup on nas');
  await using visitor = await openAs(person, '/device', 'Log in a device');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Code is required').waitFor();
  await expectAccessible(page, 'device-login-code');
  await page.getByLabel('Code').fill('WRONG');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code does not work.').waitFor();
  await page.getByLabel('Code').fill(` ${codes.userCode.toLowerCase().replace('-', ' ')} `);
  await page.keyboard.press('Enter');
  await page.getByText('backup on nas').waitFor();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'Login denied' }).waitFor();
  await expectAccessible(page, 'device-login-denied');
  const completed = await completeDeviceLogin(codes);
  expect(completed).toMatchObject({ error: 'access_denied' });
  visitor.expectNoFaults();
});

test('a login that was answered elsewhere says so on the open page', async () => {
  const person = await createAccount('twice');
  const { accessToken: token } = person;
  const codes = await startDeviceLogin('atrium on laptop');
  await using visitor = await openAs(person, codes.path, 'Log in a device');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Confirm' }).waitFor();
  await call('POST', `${atrium.urls.auth}/auth/device/${codes.userCode}/deny`, { token });
  await page.getByRole('button', { name: 'Confirm' }).click();
  await confirm(page);
  await page.getByText('This code does not work.').waitFor();
  visitor.expectNoFaults();
});
