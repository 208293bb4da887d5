import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { call, text } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { startJourneys } from './journeys.ts';
import { answerHeaders, REJECTION } from './network.ts';
import { startEndpoint } from './webhook.fixture.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();
const { webhooks } = atrium.urls;

const PRODUCT = 'https://app.shop.example';
const STRANGER = 'https://elsewhere.example';

/** A product with an event type and a portal. @returns what makes a link for its owner */
async function createProduct() {
  const owner = await createAccount('shop');
  const { accessToken: token, id: accountId } = owner;
  const namespace = `shop-${randomBytes(3).toString('hex')}`;
  const event = `${namespace}.order_paid`;
  const example = { orderId: '1042' };
  const put = (path: string, body: object) =>
    call('PUT', `${webhooks}/api/${path}`, { token, body });
  await put(`event-types/${event}`, { description: 'An order is paid.', example });
  const settings = { name: 'Shop', colour: '#0a6847', logo: null, origins: [PRODUCT] };
  expect((await put(`portals/${namespace}`, settings)).status).toBe(200);
  return {
    owner,
    event,
    publish: (data: object) =>
      call('POST', `${webhooks}/api/events`, { token, body: { type: event, data } }),
    /** The page of an application that may publish the events. */
    async application() {
      const redirectUrls = ['https://shop.example/callback'];
      const scopes = ['events:publish'];
      const body = { kind: 'web', name: 'Shop', redirectUrls, scopes, password: PASSWORD };
      const made = await call('POST', `${atrium.urls.auth}/applications`, { token, body });
      return `/developers/applications/${text(made.body, 'id')}`;
    },
    async link() {
      const body = { namespace, accountId };
      return text(
        (await call('POST', `${webhooks}/api/portal-sessions`, { token, body })).body,
        'url',
      );
    },
  };
}

test('a customer subscribes in the portal of a product, without an account of the pages', async () => {
  await using endpoint = await startEndpoint();
  const product = await createProduct();
  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(await product.link());
  await page.getByRole('heading', { name: 'Webhooks of Shop', level: 1 }).waitFor();
  expect(page.url()).not.toContain('ptl_');
  await expectAccessible(page, 'portal-empty');
  const main = page.getByRole('button', { name: 'New webhook' }).first();
  const background = () => main.evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect.poll(background).toBe('rgb(10, 104, 71)');
  await main.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Endpoint URL').fill(`${endpoint.url}/hook`);
  await dialog.getByLabel(product.event).check();
  await expectAccessible(page, 'portal-new');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Status 200').waitFor();
  expect((await product.publish({ orderId: '7' })).status).toBe(202);
  await endpoint.waitFor(2);
  await expectAccessible(page, 'portal-webhook');
  await page.getByRole('link', { name: product.event }).first().click();
  await page.getByRole('heading', { name: product.event, level: 1 }).waitFor();
  expect(await page.locator('a[href*="/events/"]').count()).toBe(0);
  visitor.expectNoFaults();
  // As after an hour: the services know the token no more.
  await page.route('**/api/**', (route) => {
    const authorization = `Bearer ptl_${'x'.repeat(43)}`;
    return route.continue({ headers: { ...route.request().headers(), authorization } });
  });
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
});

test('a portal that could not be opened is tried again with the same link', async () => {
  const product = await createProduct();
  await using visitor = await visit();
  const { page } = visitor;
  await page.route('**/api/portal-sessions/open', (route) => route.abort());
  await page.goto(await product.link());
  await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
  await page.getByText('Atrium cannot be reached').waitFor();
  expect(page.url()).not.toContain('ptl_');
  await expectAccessible(page, 'portal-failed');
  await page.unroute('**/api/portal-sessions/open');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Webhooks of Shop', level: 1 }).waitFor();
});

test('only pages of origins that the product has named show its portal in a frame', async () => {
  const product = await createProduct();
  await using visitor = await visit();
  const { page, context } = visitor;
  // The pages of this test run on this machine, which other sites may not reach.
  await context.grantPermissions(['local-network-access']);
  for (const origin of [PRODUCT, STRANGER]) {
    const body = `<!doctype html><title>Shop</title><iframe src="${await product.link()}"></iframe>`;
    await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${origin}/`);
    const title = page.frameLocator('iframe').getByRole('heading', { name: 'Webhooks of Shop' });
    if (origin === PRODUCT) await title.waitFor();
    else {
      await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
      expect(await title.count()).toBe(0);
    }
  }
});

test('in a frame, a portal that is reloaded or has ended says that its link has ended', async () => {
  const product = await createProduct();
  await using visitor = await visit();
  const { page, context } = visitor;
  await context.grantPermissions(['local-network-access']);
  const frame = page.frameLocator('iframe');
  const ended = frame.getByRole('heading', { name: 'This link has ended' });
  const link = await product.link();
  const show = async (url: string) => {
    const body = `<!doctype html><title>Shop</title><iframe src="${url}"></iframe>`;
    await page.route(`${PRODUCT}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${PRODUCT}/`);
  };
  await show(link);
  await frame.getByRole('heading', { name: 'Webhooks of Shop' }).waitFor();
  await page.frames().at(-1)?.evaluate('location.reload()');
  await ended.waitFor();
  await show(link.replace(/ptl_.*$/, `ptl_${'x'.repeat(43)}`));
  await ended.waitFor();
});

test('the section about portals says when they cannot be read', async () => {
  const product = await createProduct();
  await using visitor = await openAs(
    product.owner,
    '/developers/applications',
    'Your applications',
  );
  const { page } = visitor;
  const headers = answerHeaders(atrium.urls.web);
  await page.route('**/api/portals', (route) =>
    route.fulfill({ status: 409, headers, json: REJECTION }),
  );
  await page.goto(await product.application());
  const section = page.getByRole('region', { name: 'Portal for customers' });
  await section.getByRole('alert').waitFor();
  await page.unroute('**/api/portals');
  await section.getByRole('button', { name: 'Try again' }).click();
  await section.getByRole('button', { name: 'Save portal' }).waitFor();
});

test('a portal shows the first logo, and the one that takes its place', async () => {
  const product = await createProduct();
  await using visitor = await openAs(product.owner, await product.application(), 'Shop');
  const { page } = visitor;
  const upload = async () => {
    const buffer = await page.screenshot();
    const file = { name: 'logo.png', mimeType: 'image/png', buffer };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Save picture' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await using customer = await visit();
  const openPortal = async () => {
    await customer.page.goto(await product.link());
    await customer.page.getByRole('heading', { name: 'Webhooks of Shop', level: 1 }).waitFor();
  };
  const isShown = () => customer.page.evaluate<boolean>('document.images[0]?.naturalWidth > 0');
  await page.getByRole('button', { name: 'Save portal' }).click();
  await page.getByText('Portal saved').waitFor();
  for (let n = 1; n <= 2; n += 1) {
    await upload();
    await openPortal();
    await expect.poll(isShown).toBe(true);
  }
  await page.getByRole('button', { name: 'Remove picture' }).click();
  // A message stays while the focus is on it.
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await openPortal();
  expect(await customer.page.locator('img').count()).toBe(0);
  const changed = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/api/portals/'),
  );
  await undo.click();
  await changed;
  await openPortal();
  await expect.poll(isShown).toBe(true);
  const headers = answerHeaders(atrium.urls.web);
  await page.route('**/api/portals/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 409, headers, json: REJECTION })
      : route.continue(),
  );
  await upload();
  await page.getByText('not in every portal').waitFor();
});
