import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD, type Person } from '../accounts.ts';
import { call, text } from '../client.ts';
import { logOut } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { startEndpoint, subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) =>
  page.getByRole('main').getByRole('textbox', { name, exact: true });
const question = (page: Page) => page.getByRole('heading', { name: 'Leave without saving?' });
const expectValue = (page: Page, name: string, value: string) =>
  expect.poll(() => field(page, name).inputValue()).toBe(value);

/** A webhook, a link or an application, as its service has it, and as another tab changes it. */
const resource = ({ accessToken: token }: Person, url: string) => ({
  read: async () => (await call('GET', url, { token })).body,
  change: async (body: object) =>
    expect((await call('PATCH', url, { token, body })).status).toBe(200),
});

test('the settings of a webhook follow what changes elsewhere, and save what was changed in them', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('changer');
  const id = await subscribe(atrium, person, `${endpoint.url}/first`);
  const webhook = resource(person, `${atrium.urls.webhooks}/api/webhooks/${id}`);
  await using visitor = await openAs(person, `/webhooks/${id}?tab=settings`, 'Team chat');
  const { page } = visitor;
  await button(page, 'Change destination').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Endpoint URL').fill(`${endpoint.url}/second`);
  await button(page, 'Save destination').click();
  await page.getByText('Destination saved').waitFor();
  await expectValue(page, 'Endpoint URL', `${endpoint.url}/second`);

  await field(page, 'Description').fill('Chat of all');
  await webhook.change({
    url: `${endpoint.url}/third`,
    description: 'Chat',
    rateLimitPerSecond: 7,
  });
  await page.getByLabel('go.click').check();
  await button(page, 'Save').click();
  await page.getByText('Settings saved').waitFor();
  expect(await webhook.read()).toMatchObject({
    url: `${endpoint.url}/third`,
    description: 'Chat of all',
    events: ['note.shared', 'go.click'],
    rateLimitPerSecond: 7,
  });
  await field(page, 'Description').fill('Chat of everyone');
  await webhook.change({ url: `${endpoint.url}/fourth` });
  await expectValue(page, 'Endpoint URL', `${endpoint.url}/fourth`);
  await expectValue(page, 'Description', 'Chat of everyone');
  visitor.expectNoFaults();
});

test('a link that was renamed in another tab keeps that name when its destination is saved', async () => {
  const person = await createAccount('renamer');
  const links = `${atrium.urls.links}/api/links`;
  const slug = `before-${Date.now()}`;
  const body = { url: 'https://example.com/', slug };
  const created = await call('POST', links, { token: person.accessToken, body });
  const path = `/links/${text(created.body, 'id')}`;
  const link = resource(person, `${links}/${text(created.body, 'id')}`);
  const heading = `${new URL(atrium.urls.links).host}/${slug}`;
  await using visitor = await openAs(person, path, heading);
  const { page } = visitor;
  await field(page, 'Destination').fill('https://example.com/plans');
  await link.change({ slug: `${slug}-after` });
  await button(page, 'Save').click();
  await page.getByText('Link saved').waitFor();
  const saved = { url: 'https://example.com/plans', slug: `${slug}-after` };
  expect(await link.read()).toMatchObject(saved);
  await expectValue(page, 'Short name', saved.slug);
  await link.change({ url: 'https://example.com/prices' });
  await expectValue(page, 'Destination', 'https://example.com/prices');
  visitor.expectNoFaults();
});

test('what is typed while a link is saved stays, and is saved next', async () => {
  const person = await createAccount('quick-typist');
  const links = `${atrium.urls.links}/api/links`;
  const body = { url: 'https://example.com/', slug: `quick-${Date.now()}` };
  const created = await call('POST', links, { token: person.accessToken, body });
  const id = text(created.body, 'id');
  const heading = `${new URL(atrium.urls.links).host}/${body.slug}`;
  await using visitor = await openAs(person, `/links/${id}`, heading);
  const { page } = visitor;
  const isTyped = Promise.withResolvers<void>();
  await page.route(`**/api/links/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await isTyped.promise;
    await route.continue();
  });
  await field(page, 'Destination').fill('https://example.com/plans');
  await button(page, 'Save').click();
  await field(page, 'Destination').fill('https://example.com/prices');
  isTyped.resolve();
  await page.getByText('Link saved').waitFor();
  await button(page, 'Save').click();
  const { read } = resource(person, `${links}/${id}`);
  await expect.poll(read).toMatchObject({ url: 'https://example.com/prices' });
  visitor.expectNoFaults();
});

test('an application keeps what another tab has changed when its name is saved', async () => {
  const person = await createAccount('namer');
  const url = `${atrium.urls.auth}/applications`;
  const redirectUrls = ['https://reading.example/callback'];
  const body = { kind: 'web', name: 'Reading list', redirectUrls, password: PASSWORD };
  const created = await call('POST', url, { token: person.accessToken, body });
  const id = text(created.body, 'id');
  const application = resource(person, `${url}/${id}`);
  await using visitor = await openAs(person, `/developers/applications/${id}`, 'Reading list');
  const { page } = visitor;
  await field(page, 'Name').fill('Library');
  const elsewhere = { homePage: 'https://reading.example/' };
  await application.change(elsewhere);
  await button(page, 'Save').click();
  await page.getByText('Application saved').waitFor();
  expect(await application.read()).toMatchObject({ name: 'Library', redirectUrls, ...elsewhere });
  await expectValue(page, 'Home page', elsewhere.homePage);
  visitor.expectNoFaults();
});

test('a profile keeps what another tab has changed when its name is saved', async () => {
  const person = await createAccount('rewriter');
  const profile = resource(person, `${atrium.urls.auth}/user/me`);
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  await field(page, 'Name').fill('Ada Lovelace');
  await profile.change({ bio: 'Analyst' });
  await button(page, 'Save').click();
  await page.getByText('Profile saved').waitFor();
  expect(await profile.read()).toMatchObject({ name: 'Ada Lovelace', bio: 'Analyst' });
  await expectValue(page, 'About you', 'Analyst');
  visitor.expectNoFaults();
});

test('what was not saved is asked about at another tab and at the logout, but not at the deletion', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('leaver');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  await using visitor = await openAs(person, `/webhooks/${id}?tab=settings`, 'Team chat');
  const { page } = visitor;
  await field(page, 'Description').fill('Chat of all');
  for (const leave of [
    () => page.getByRole('link', { name: 'Overview' }).click(),
    () => logOut(page),
  ]) {
    await leave();
    await question(page).waitFor();
    await button(page, 'Stay').click();
    await question(page).waitFor({ state: 'detached' });
    await expectValue(page, 'Description', 'Chat of all');
  }
  await button(page, 'Delete webhook').click();
  await page.getByText('Webhook deleted').waitFor();
  await page.waitForURL('/webhooks');
  await button(page, 'Undo').click();
  await page.getByRole('link', { name: 'Team chat' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await field(page, 'Description').fill('Chat of all');
  await logOut(page);
  await button(page, 'Leave').click();
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  visitor.expectNoFaults();
});

test('the portal of a product is not left unsaved, unless with the application that is deleted', async () => {
  const person = await createAccount('portal-keeper');
  const { accessToken: token } = person;
  const namespace = `shop-${Date.now()}`;
  const type = `${namespace}.order_paid`;
  await call('PUT', `${atrium.urls.webhooks}/api/event-types/${type}`, {
    token,
    body: { description: 'An order is paid.', example: {} },
  });
  const body = {
    kind: 'machine',
    name: 'Shop',
    scopes: ['events:publish'],
    password: PASSWORD,
  };
  const made = await call('POST', `${atrium.urls.auth}/applications`, { token, body });
  const path = `/developers/applications/${text(made.body, 'id')}`;
  await using visitor = await openAs(person, path, 'Shop');
  const { page } = visitor;
  await page.getByLabel('Colour').fill('#0a6847');
  await page.getByRole('main').getByRole('link', { name: 'Your applications' }).click();
  await question(page).waitFor();
  await button(page, 'Stay').click();
  await page.getByRole('button', { name: 'Save portal' }).click();
  await page.getByText('Portal saved').waitFor();
  const elsewhere = {
    name: 'Shop of all',
    colour: '#123456',
    logo: null,
    origins: ['https://shop.example'],
  };
  const url = `${atrium.urls.webhooks}/api/portals`;
  await call('PUT', `${url}/${namespace}`, { token, body: elsewhere });
  await page.getByLabel('Colour').fill('#0a6848');
  await page.getByRole('button', { name: 'Save portal' }).click();
  await expectValue(page, 'Pages that may embed it', 'https://shop.example');
  const portal = { ...elsewhere, colour: '#0a6848' };
  await expect
    .poll(async () => (await call('GET', url, { token })).body)
    .toMatchObject({ data: [{ portal }] });
  await page.getByLabel('Colour').fill('');
  await button(page, 'Delete application').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click();
  await page.getByText('Shop is deleted').waitFor();
  await page.waitForURL('/developers/applications');
  visitor.expectNoFaults();
});
