import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { expectFocus } from './dialogs.ts';
import { startJourneys } from './journeys.ts';
import { share, startEndpoint, subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a filter is built, tried, saved and refused, and an event says that it did not match', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('sifter');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  await share(atrium, person);
  await endpoint.waitFor(1);
  await using visitor = await openAs(person, `/webhooks/${id}?tab=settings`, 'Team chat');
  const { page } = visitor;
  const section = page.getByRole('region', { name: 'Filter' });
  await button(page, 'Add a condition').click();
  await expectFocus(page.getByLabel('Path of condition 1'));
  await button(page, 'Save filter').click();
  await page.getByText('Enter a path such as data.title').waitFor();
  await page.getByLabel('Path of condition 1').fill('data.title');
  await page.getByLabel('Comparison of condition 1').selectOption('begins with');
  await page.getByLabel('Value of condition 1').fill('For');
  await button(page, 'Try it').click();
  await section.getByText('1 of the last 1 match').waitFor();
  await page.getByLabel('Value of condition 1').fill('Against');
  await button(page, 'Try it').click();
  await section.getByText('0 of the last 1 match').waitFor();
  await section.getByText('Does not match').waitFor();
  await expectAccessible(page, 'webhook-filter');
  await button(page, 'Save filter').click();
  await page.getByText('Filter saved').waitFor();

  await section.getByText('JSON', { exact: true }).click();
  await page.getByRole('textbox', { name: 'JSON' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await section.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Settings' }).click();

  await share(atrium, person);
  await section.getByText('1 did not match since it was set').waitFor();
  await section.getByText('JSON', { exact: true }).click();
  await page
    .getByRole('textbox', { name: 'JSON' })
    .fill('{ "data": { "title": { "$like": "F" } } }');
  await button(page, 'Save filter').click();
  await section.getByText('data.title.$like is no operator').waitFor();
  await page.getByRole('textbox', { name: 'JSON' }).fill('{ "$not": { "data.title": "x" } }');
  await button(page, 'Try it').click();
  await section.getByText('2 of the last 2 match').waitFor();
  await expectAccessible(page, 'webhook-filter-json');
  await button(page, 'Save filter').click();
  await page.getByText('Filter saved').last().waitFor();
  await section.getByRole('link', { name: 'note.shared' }).first().click();
  await page.getByText('The event did not match the filter of this webhook.').waitFor();
  await expectAccessible(page, 'event-unmatched');
  expect(endpoint.requests).toHaveLength(1);
  visitor.expectNoFaults();
});

test('a filter follows what is saved elsewhere, in both views, and is not saved over it unchanged', async () => {
  const person = await createAccount('follower');
  const id = await subscribe(atrium, person, 'https://example.com/hook');
  const url = `${atrium.urls.webhooks}/api/webhooks/${id}`;
  const token = person.accessToken;
  const titled = (title: string) => ({ data: { title: { $eq: title } } });
  const change = async (filter: object) =>
    expect((await call('PATCH', url, { token, body: { filter } })).status).toBe(200);
  await using visitor = await openAs(person, `/webhooks/${id}?tab=settings`, 'Team chat');
  const { page } = visitor;
  const value = page.getByLabel('Value of condition 1');
  const json = page.getByRole('textbox', { name: 'JSON' });
  await button(page, 'Add a condition').waitFor();
  await change(titled('Asters'));
  await expect.poll(() => value.inputValue()).toBe('Asters');
  await page.getByText('JSON', { exact: true }).click();
  await json.waitFor();
  await change(titled('Poppies'));
  await expect.poll(() => json.inputValue()).toContain('Poppies');
  await button(page, 'Save filter').click();
  await page.getByText('Filter saved').waitFor();
  expect((await call('GET', url, { token })).body).toMatchObject({ filter: titled('Poppies') });

  await json.fill(JSON.stringify(titled('Tulips')));
  const read = page.waitForResponse(
    async (answer) =>
      answer.request().method() === 'GET' && (await answer.text()).includes('Cornflowers'),
  );
  await change(titled('Cornflowers'));
  await read;
  await button(page, 'Save filter').click();
  await expect
    .poll(async () => (await call('GET', url, { token })).body)
    .toMatchObject({ filter: titled('Tulips') });
  visitor.expectNoFaults();
});

test('conditions that are typed stay when what is saved elsewhere has none', async () => {
  const person = await createAccount('typing');
  const id = await subscribe(atrium, person, 'https://example.com/hook');
  const url = `${atrium.urls.webhooks}/api/webhooks/${id}`;
  const token = person.accessToken;
  await using visitor = await openAs(person, `/webhooks/${id}?tab=settings`, 'Team chat');
  const { page } = visitor;
  await button(page, 'Add a condition').click();
  await page.getByLabel('Path of condition 1').fill('data.title');
  await page.getByLabel('Value of condition 1').fill('Roses');
  const elsewhere = { description: 'Renamed', filter: { $not: { 'data.title': 'x' } } };
  expect((await call('PATCH', url, { token, body: elsewhere })).status).toBe(200);
  await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
  expect(await page.getByLabel('Value of condition 1').inputValue()).toBe('Roses');
  await button(page, 'Save filter').click();
  const saved = { filter: { 'data.title': { $eq: 'Roses' } } };
  await expect.poll(async () => (await call('GET', url, { token })).body).toMatchObject(saved);
  visitor.expectNoFaults();
});

test('JSON that is not complete is called so, also when conditions are asked for', async () => {
  const person = await createAccount('halfway');
  const id = await subscribe(atrium, person, 'https://example.com/hook');
  await using visitor = await openAs(person, `/webhooks/${id}?tab=settings`, 'Team chat');
  const { page } = visitor;
  const section = page.getByRole('region', { name: 'Filter' });
  const json = page.getByRole('textbox', { name: 'JSON' });
  await section.getByText('JSON', { exact: true }).click();
  await json.fill('{ "data": ');
  await section.getByText('Conditions', { exact: true }).click();
  await section.getByText('Enter a JSON object, or nothing').waitFor();
  await json.fill('{ "$not": { "data.title": "x" } }');
  await section.getByText('Conditions', { exact: true }).click();
  await section.getByText('Only JSON can say this filter').waitFor();
  visitor.expectNoFaults();
});
