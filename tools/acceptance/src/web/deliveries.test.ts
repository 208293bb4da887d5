import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CHROME_ON_LINUX } from '../accounts.ts';
import { call, text } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { signUp } from './forms.ts';
import { inputMethod } from './input-methods.ts';
import { chooseInAccountMenu } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { share, startEndpoint, subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The delivery that is shown beside the list. */
const beside = (page: Page) => page.getByRole('complementary', { name: 'Delivery' });

test('a delivery that fails is seen live, explained, resent, and followed to its cause', async () => {
  await using endpoint = await startEndpoint();
  endpoint.answerWith({ status: 500, body: '{"error":"the database is down"}' });
  const person = await createAccount('watcher');
  await subscribe(atrium, person, `${endpoint.url}/hook`);
  await using visitor = await openAs(person, '/deliveries', 'Deliveries');
  const { page } = visitor;
  const rows = page.getByRole('main').getByRole('listitem');
  await page.getByText('its deliveries to your webhooks show here').waitFor();
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await expectAccessible(page, 'deliveries-empty');
  await share(atrium, person);
  await rows.getByText('Failed').waitFor();
  await rows.getByText('5 attempts').waitFor();
  await rows.getByText('500').waitFor();
  await expectAccessible(page, 'deliveries');

  await inputMethod.press(page.getByRole('link', { name: 'note.shared' }));
  const heading = beside(page).getByRole('heading', { name: 'note.shared', level: 2 });
  await heading.waitFor();
  await beside(page).getByText('the database is down').first().waitFor();
  await expectAccessible(page, 'delivery-failed');
  endpoint.answerWith({ status: 503, headers: { 'retry-after': '1800' } });
  await inputMethod.press(button(page, 'Resend'));
  await beside(page).getByText('Will be retried').waitFor();
  await expectFocus(heading);
  await beside(page)
    .getByText(/in (29|30) minutes/)
    .waitFor();
  await beside(page).getByText('retry-after: 1800').waitFor();
  await expectAccessible(page, 'delivery-waiting');
  endpoint.answerWith({ status: 200, body: 'thanks' });
  await inputMethod.press(button(page, 'Resend'));
  await beside(page).getByText('Status 200').waitFor();
  await beside(page).getByText('Delivered', { exact: true }).waitFor();
  await inputMethod.press(page.getByRole('link', { name: 'Open its page' }));
  await expect.poll(() => page.title()).toBe('note.shared · Delivery · Atrium');
  await expectAccessible(page, 'delivery');
  await inputMethod.press(page.getByRole('link', { name: 'Trace of this event' }));
  await page.getByText('A note was made public').waitFor();
  await expect.poll(() => page.title()).toBe('note.shared · Event · Atrium');
  await expect.poll(() => page.getByText(/^Attempt \d$/).count()).toBe(7);
  await expectAccessible(page, 'event');
  visitor.expectNoFaults();
});

test.each([
  ['go.click', 'A short link was clicked', 'Show the link', /\/links\/lnk_/],
  ['auth.suspicious_login', 'Someone logged in', 'Show your sessions', /\/account\/sessions$/],
])('the trace of %s leads to its cause', async (event, cause, link, address) => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('tracer');
  await subscribe(atrium, person, `${endpoint.url}/hook`, [event]);
  const body = { url: 'https://example.com/' };
  const token = person.accessToken;
  const created = await call('POST', `${atrium.urls.links}/api/links`, { token, body });
  const headers = { 'user-agent': CHROME_ON_LINUX };
  await fetch(text(created.body, 'shortUrl'), { redirect: 'manual', headers });
  // This browser is a new device.
  await using visitor = await openAs(person, '/deliveries', 'Deliveries');
  const { page } = visitor;
  await page.getByRole('link', { name: event }).click();
  await page.getByRole('link', { name: 'Trace of this event' }).click();
  await page.getByText(cause).waitFor();
  await page.getByText('Delivery to Team chat').waitFor();
  await page.getByText('Status 200').waitFor();
  await page.getByRole('link', { name: link }).click();
  await page.waitForURL(address);
  visitor.expectNoFaults();
});

test('many deliveries are selected and resent, and a webhook recovers what has failed', async () => {
  await using endpoint = await startEndpoint();
  endpoint.answerWith({ status: 503 });
  const person = await createAccount('resender');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  for (let i = 0; i < 3; i += 1) await share(atrium, person);
  await endpoint.waitFor(15);
  await using visitor = await openAs(person, '/deliveries?state=exhausted', 'Deliveries');
  const { page } = visitor;
  await expect.poll(() => page.getByText('5 attempts').count()).toBe(3);
  endpoint.answerWith({ status: 200 });
  await page.getByRole('checkbox', { name: 'Select note.shared, Team chat' }).first().check();
  await page.getByText('1 selected').waitFor();
  await expectAccessible(page, 'deliveries-selected');
  await button(page, 'Resend').click();
  await page.getByText('1 delivery is being resent').waitFor();
  await endpoint.waitFor(16);

  await button(page, 'Recover failed').click();
  await expectAccessible(page, 'deliveries-recover');
  await dialog(page).getByRole('button', { name: 'Recover failed' }).click();
  await page.getByText('Recovered: 2 resent').waitFor();
  await expectAccessible(page, 'deliveries-recovered');
  await dialog(page).getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain(`/api/webhooks/${id}/recover" -H`);
  expect(copied).toContain(`-d '{"since":"`);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await endpoint.waitFor(18);
  await page.getByLabel('State').selectOption('Delivered');
  await expect.poll(() => page.getByText('6 attempts').count()).toBe(3);
  await chooseInAccountMenu(page, 'Deutsch');
  await page.getByRole('heading', { name: 'Zustellungen', level: 1 }).waitFor();
  await expectAccessible(page, 'deliveries-german');
  await page.goto(`/webhooks/${id}?tab=overview`);
  await page.getByText('3 von 18 Versuchen gelangen').waitFor();
  await expectAccessible(page, 'webhook-german');
  await chooseInAccountMenu(page, 'English');
  await page.goBack();
  await page.getByLabel('Event').selectOption('go.click');
  await page.getByText('No delivery matches these filters.').waitFor();
  await expectAccessible(page, 'deliveries-nothing-found');
  await page.waitForURL(({ search }) => search === '?state=delivered&event=go.click');
  visitor.expectNoFaults();
});

test('a filtered list shows an older delivery as soon as it fits', async () => {
  await using endpoint = await startEndpoint();
  endpoint.answerWith({ status: 503 });
  const person = await createAccount('filterer');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  await share(atrium, person);
  await endpoint.waitFor(5);
  const path = `/deliveries?webhook=${id}&state=delivered`;
  await using visitor = await openAs(person, path, 'Deliveries');
  const { page } = visitor;
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  const rows = page.getByRole('main').getByRole('listitem').getByText('Delivered');
  await page.getByText('No delivery matches these filters.').waitFor();
  endpoint.answerWith({ status: 200 });
  await share(atrium, person);
  await expect.poll(() => rows.count()).toBe(1);
  const url = `${atrium.urls.webhooks}/api/webhooks/${id}`;
  const token = person.accessToken;
  await call('POST', `${url}/recover`, { token, body: { since: new Date(0).toISOString() } });
  await expect.poll(() => rows.count()).toBe(2);
  visitor.expectNoFaults();
});

test('keys walk through deliveries, open them beside the list and resend them', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('typist');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  for (let i = 0; i < 2; i += 1) await share(atrium, person);
  await endpoint.waitFor(2);
  await using visitor = await openAs(person, `/webhooks/${id}`, 'Team chat');
  const { page } = visitor;
  const rows = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?]delivery=dlv_/);
  await beside(page).getByText('Status 200').waitFor();
  await expectFocus(beside(page));
  await page.keyboard.press('Escape');
  await expectFocus(rows.getByRole('link').nth(1));
  await page.keyboard.press('r');
  await page.getByText('Delivery is being resent').waitFor();
  await endpoint.waitFor(3);
  await button(page, 'Show as sent').click();
  await page.goBack();
  await beside(page).getByText('Choose a delivery to see it here.').waitFor();
  visitor.expectNoFaults();
});

test('what waits is not resent with the rest, and the failing webhook is the one to recover', async () => {
  await using endpoint = await startEndpoint();
  await using other = await startEndpoint();
  endpoint.answerWith({ status: 503, headers: { 'retry-after': '1800' } });
  const person = await createAccount('patient');
  const failing = await subscribe(atrium, person, `${endpoint.url}/hook`);
  await subscribe(atrium, person, `${other.url}/hook`);
  await share(atrium, person);
  await Promise.all([endpoint.waitFor(1), other.waitFor(1)]);
  const paused = { token: person.accessToken, body: { paused: true } };
  await call('PATCH', `${atrium.urls.webhooks}/api/webhooks/${failing}`, paused);
  await share(atrium, person);
  await other.waitFor(2);
  await using visitor = await openAs(person, '/deliveries/dlv_none', 'Page not found');
  const { page } = visitor;
  // The styles of the list then come after those of a delivery.
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Deliveries' }).click();
  const delivered = page.getByRole('main').getByRole('listitem').getByText('Delivered');
  await expect.poll(() => delivered.count()).toBe(2);
  await page.getByText('Waiting', { exact: true }).last().waitFor();
  await page.getByText('Team chat · No attempt yet').waitFor();

  await page.getByLabel('Select all shown').check();
  await page.getByText('1 waits for its next attempt').waitFor();
  await expectAccessible(page, 'deliveries-selected-waiting');
  await button(page, 'Send now').click();
  await page.getByText('paused').last().waitFor();
  await button(page, 'Resend').click();
  await page.getByText('3 deliveries are being resent').waitFor();
  expect(await page.getByText('could not be resent').count()).toBe(0);

  await button(page, 'Recover failed').click();
  await expect.poll(() => dialog(page).getByLabel('Webhook').inputValue()).toBe(failing);
  visitor.expectNoFaults();
});

test('whoever has not verified their email is told what their deliveries wait for', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await signUp(page, 'unverified', { path: '/deliveries' });
  await page.getByText('Webhooks can be created once your email is verified.').waitFor();
  expect(await page.getByRole('group', { name: 'Live' }).count()).toBe(0);
  await expectAccessible(page, 'deliveries-unverified');
  visitor.expectNoFaults();
});

test('an account that has nothing yet is told what belongs on its pages', async () => {
  await using visitor = await openAs(await createAccount('newcomer'), '/', 'Hello, Ada Example');
  const { page } = visitor;
  await page.getByText('Have your server told when a link is clicked').waitFor();
  await expectAccessible(page, 'home-empty');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Endpoint URL').waitFor();
  await page.goto('/');
  await page.getByRole('button', { name: 'New note' }).click();
  await page.getByRole('textbox', { name: 'Note' }).waitFor();
  await page.goto('/events/evt_none');
  await page.getByText('There is no such event.').waitFor();
  await expectAccessible(page, 'event-missing');
  visitor.expectNoFaults();
});
