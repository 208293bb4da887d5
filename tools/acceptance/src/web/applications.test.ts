import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import * as client from 'openid-client';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { call, text } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { logInAs } from './forms.ts';
import { inputMethod } from './input-methods.ts';
import { startJourneys } from './journeys.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true });

/** The image of an application, where it has one. */
const logo = (page: Page) => page.locator('img[src*="/avatars/"]');

/** As the service calls itself, which is not the address that tests reach it at. */
const issuer = async () =>
  text((await call('GET', `${atrium.urls.auth}/.well-known/openid-configuration`)).body, 'issuer');

/** A site of somebody else, which logs people in with Atrium. */
async function startSite() {
  const server = createServer((request, response) => {
    void answer(request.url ?? '/').then(({ status, location, body }) => {
      response.writeHead(status, { 'content-type': 'text/html', ...(location && { location }) });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const callback = `${url}/callback`;
  const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: 'state' };
  let config: client.Configuration | undefined;
  let scope = 'openid';
  const tokens: string[] = [];

  async function answer(
    path: string,
  ): Promise<{ status: number; location?: string; body?: string }> {
    if (config === undefined) return { status: 503 };
    if (path.startsWith('/login')) {
      const location = client.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope,
        code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: checks.expectedState,
        ...Object.fromEntries(new URL(path, url).searchParams),
      }).href;
      return { status: 303, location };
    }
    const asked = new URL(path, url);
    if (asked.searchParams.has('error')) {
      return { status: 200, body: `<h1>Not logged in: ${asked.searchParams.get('error')}</h1>` };
    }
    const granted = await client.authorizationCodeGrant(config, asked, checks);
    tokens.push(granted.access_token);
    return { status: 200, body: `<h1>Logged in: ${granted.claims()?.sub}</h1>` };
  }

  return {
    url,
    callback,
    tokens,
    use: async (id: string, secret: string, wanted: string) => {
      scope = wanted;
      config = await client.discovery(
        new URL(await issuer()),
        id,
        {},
        client.ClientSecretBasic(secret),
        { execute: [client.allowInsecureRequests] },
      );
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

test('a developer registers an application, and a person logs in to it, allows it and takes that back', async () => {
  await using site = await startSite();
  const developer = await createAccount('builder');
  await using visitor = await openAs(developer, '/developers/applications', 'Your applications');
  const { page } = visitor;
  await page.getByText('An application lets people log in').waitFor();
  await expectAccessible(page, 'developers-empty');
  await inputMethod.press(button(page, 'New application'));
  await inputMethod.fill(dialog(page).getByLabel('Name', { exact: true }), 'Reading list');
  await inputMethod.fill(dialog(page).getByLabel('Password', { exact: true }), PASSWORD);
  await inputMethod.press(button(page, 'Create application'));
  await page.getByText('Enter at least one URL').waitFor();
  await expectAccessible(page, 'developers-new-error');
  await inputMethod.fill(dialog(page).getByLabel('Redirect URLs'), site.callback);
  await dialog(page).getByLabel('Read your notes and workspaces').check();
  await inputMethod.press(button(page, 'Create application'));
  await page.getByRole('heading', { name: 'The secret of the application' }).waitFor();
  await expectAccessible(page, 'developers-secret');
  const secret = await dialog(page).locator('pre').innerText();
  await inputMethod.press(button(page, 'Done'));
  await page.getByRole('heading', { name: 'Reading list', level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByText(`'${id}'`).first().waitFor();
  await page.locator('input[type=file]').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await page.screenshot(),
  });
  await inputMethod.press(button(page, 'Save picture'));
  await logo(page).first().waitFor();
  await expectAccessible(page, 'developers-application');
  await site.use(id, secret, 'openid profile email notes:read');

  const person = await createAccount('reader');
  await using reader = await visit();
  const tab = reader.page;
  await tab.goto(`${site.url}/login`);
  await tab.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await logInAs(tab, person.email);
  await tab.getByRole('heading', { name: 'Continue to Reading list' }).waitFor();
  await tab.getByText('Read your notes and workspaces').waitFor();
  await logo(tab).waitFor();
  await expectAccessible(tab, 'authorize');
  await inputMethod.press(button(tab, 'Deny'));
  await tab.getByRole('heading', { name: 'Not logged in: access_denied' }).waitFor();
  await tab.goto(`${site.url}/login`);
  await inputMethod.press(button(tab, 'Allow'));
  await tab.getByRole('heading', { name: `Logged in: ${person.id}` }).waitFor();
  const list = () =>
    call('GET', `${atrium.urls.notes}/api/workspaces`, { token: site.tokens.at(-1) ?? '' });
  expect((await list()).status).toBe(200);
  // What was allowed is not asked for again.
  await tab.goto(`${site.url}/login`);
  await tab.getByRole('heading', { name: `Logged in: ${person.id}` }).waitFor();

  await tab.goto('/account/applications');
  await tab.getByText('Reading list').waitFor();
  await logo(tab).waitFor();
  await expectAccessible(tab, 'account-applications');
  await inputMethod.press(tab.getByRole('button', { name: 'Revoke Reading list' }));
  await inputMethod.press(dialog(tab).getByRole('button', { name: 'Revoke', exact: true }));
  await tab.getByText('Reading list is no longer allowed anything').waitFor();
  await expect.poll(async () => (await list()).status).toBe(401);
  reader.expectNoFaults();
  visitor.expectNoFaults();
});

test('an application is changed, gets a second secret and is deleted', async () => {
  const developer = await createAccount('maintainer');
  const { accessToken: token } = developer;
  const made = await call('POST', `${atrium.urls.auth}/applications`, {
    token,
    body: {
      kind: 'web',
      name: 'Bookmarks',
      redirectUrls: ['https://bookmarks.example/callback'],
      password: PASSWORD,
    },
  });
  const id = text(made.body, 'id');
  await using visitor = await openAs(developer, `/developers/applications/${id}`, 'Bookmarks');
  const { page } = visitor;
  await page.getByLabel('Library or product').selectOption('Grafana');
  await page.getByText('[auth.generic_oauth]').waitFor();
  await page.getByLabel('Redirect URLs').fill('ftp://bookmarks.example');
  await button(page, 'Save').click();
  await page.getByText('must begin with https').waitFor();
  await expectAccessible(page, 'developers-settings-error');
  await page.getByLabel('Redirect URLs').fill('https://bookmarks.example/back');
  await page.getByLabel('Name').fill('Bookmarks of all');
  await button(page, 'Save').click();
  await page.getByText('It decides where people are sent').waitFor();
  await expectAccessible(page, 'developers-settings-proof');
  await dialog(page).getByLabel('Password', { exact: true }).fill('a wrong guess');
  await button(dialog(page), 'Save').click();
  await page.getByText('The password is wrong').waitFor();
  await dialog(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(dialog(page), 'Save').click();
  await page.getByText('Application saved').waitFor();
  await expect.poll(() => dialog(page).count()).toBe(0);
  await button(page, 'New secret').click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog(page).getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('heading', { name: 'The secret of the application' }).waitFor();
  await button(page, 'Done').click();
  const remove = page.getByRole('button', { name: /^Remove the secret/ });
  await expect.poll(() => remove.count()).toBe(2);
  await remove.first().click();
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Secret removed').waitFor();
  await page.locator('input[type=file]').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await page.screenshot(),
  });
  await button(page, 'Save picture').click();
  await button(page, 'Remove picture').click();
  await page.getByText('Picture removed').waitFor();
  await expect.poll(() => logo(page).count()).toBe(0);
  await button(page, 'Delete application').click();
  await dialog(page).getByRole('button', { name: 'Delete application' }).click();
  await page.getByText('Bookmarks of all is deleted').waitFor();
  await page.getByText('An application lets people log in').waitFor();
  visitor.expectNoFaults();
});

test('a person uses another account, logs in again, and is told when a request is over', async () => {
  await using site = await startSite();
  const owner = await createAccount('host');
  const made = await call('POST', `${atrium.urls.auth}/applications`, {
    token: owner.accessToken,
    body: { kind: 'web', name: 'Guests', redirectUrls: [site.callback], password: PASSWORD },
  });
  await site.use(text(made.body, 'id'), text(made.body, 'secret'), 'openid profile');
  const [one, other] = [await createAccount('first-guest'), await createAccount('second-guest')];
  await using visitor = await openAs(one, '/', 'Hello, Ada Example');
  const { page } = visitor;
  await page.goto(`${site.url}/login?prompt=select_account`);
  await page.getByText(`(${one.email})`).waitFor();
  await button(page, 'Use another account').click();
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await logInAs(page, other.email);
  await page.getByText(`(${other.email})`).waitFor();
  await button(page, 'Allow').click();
  await page.getByRole('heading', { name: `Logged in: ${other.id}` }).waitFor();
  // A login of this very second is as young as can be.
  await setTimeout(1000);
  await page.goto(`${site.url}/login?max_age=0`);
  await page.getByText('Guests asks for a new login').waitFor();
  await expectAccessible(page, 'authorize-login');
  await logInAs(page, other.email);
  await page.getByRole('heading', { name: `Logged in: ${other.id}` }).waitFor();
  // Nobody was logged out in between.
  const of = { token: site.tokens[0] ?? '' };
  expect((await call('GET', `${atrium.urls.auth}/oauth/userinfo`, of)).status).toBe(200);
  await page.goto('/authorize/nothing');
  await page.getByRole('heading', { name: 'This request is over' }).waitFor();
  await expectAccessible(page, 'authorize-over');
});
