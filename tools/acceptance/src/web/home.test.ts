import { expect, test } from 'vitest';
import { CHROME_ON_LINUX } from '../accounts.ts';
import { call } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

test('links are counted, and sorted by their clicks', async () => {
  const person = await createAccount('ranker');
  for (const slug of ['loved', 'lonely']) {
    await call('POST', `${atrium.urls.links}/api/links`, {
      token: person.accessToken,
      body: { url: 'https://example.com', slug: `${slug}-link` },
    });
  }
  for (let clicks = 0; clicks < 2; clicks += 1) {
    const headers = { 'user-agent': CHROME_ON_LINUX };
    await fetch(`${atrium.urls.links}/loved-link`, { redirect: 'manual', headers });
  }
  const bot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
  await fetch(`${atrium.urls.links}/loved-link`, { redirect: 'manual', headers: bot });
  const overview = () =>
    call('GET', `${atrium.urls.links}/api/links/clicks`, { token: person.accessToken });
  await expect.poll(async () => (await overview()).body['total']).toBe(2);
  await expect.poll(async () => JSON.stringify((await overview()).body)).toContain('"bots":1');
  await using visitor = await openAs(person, '/links', 'Links');
  const { page } = visitor;
  const names = async () =>
    (await page.locator('[data-list-row]').allTextContents()).map((name) => name.split('/').pop());
  await page.getByText('2 links · 2 clicks').waitFor();
  await expect.poll(names).toEqual(['lonely-link', 'loved-link']);
  await page.getByText('Most clicked').click();
  await page.waitForURL(/\?sort=clicks$/);
  await expect.poll(names).toEqual(['loved-link', 'lonely-link']);
  // The whole row leads to its page.
  await page.getByText('2 clicks', { exact: true }).click({ force: true });
  await page.getByRole('heading', { name: /\/loved-link$/, level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(names).toEqual(['loved-link', 'lonely-link']);
  await page.goto('/');
  const best = page.getByRole('region', { name: 'Clicks of the last 14 days' });
  await best.getByText('2 clicks').first().waitFor();
  await best.getByRole('link', { name: 'loved-link' }).waitFor();
  // The scale is that of the clicks which are named.
  await best.getByRole('figure').getByText('2', { exact: true }).waitFor({ timeout: 10_000 });
  await expectAccessible(page, 'home-clicks');
  visitor.expectNoFaults();
});

test('a new account receives its first webhook and makes its first link at home', async () => {
  const person = await createAccount('beginner');
  await using visitor = await openAs(person, '/', 'Hello, Ada Example');
  const { page } = visitor;
  const first = page.getByRole('region', { name: 'Your first link' });
  await first.getByLabel('Destination').waitFor();
  await expectAccessible(page, 'home-new');
  const webhook = page.getByRole('region', { name: 'Your first webhook' });
  await webhook.getByRole('button', { name: 'Try it here' }).click();
  await webhook.getByText('1 delivery has arrived').waitFor();
  await webhook.getByText('Signature is right').waitFor();
  await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Tulips' }]);
  await webhook.getByLabel('note.created').getByText('"title": "Tulips"').waitFor();
  await expectAccessible(page, 'home-trial');
  await webhook.getByRole('button', { name: 'Stop' }).click();
  const webhooks = () =>
    call('GET', `${atrium.urls.webhooks}/api/webhooks`, { token: person.accessToken });
  await expect.poll(async () => (await webhooks()).body['data']).toEqual([]);
  await first.getByRole('button', { name: 'Create link' }).click();
  await first.getByText('Destination is required').waitFor();
  await first.getByLabel('Destination').fill('example.com/first');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: new URL(atrium.urls.links).host }).waitFor();
  visitor.expectNoFaults();
});

test('a new account is shown around by a note with tasks', async () => {
  const person = await createAccount('curious');
  await using visitor = await openAs(person, '/', 'Hello, Ada Example');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Show me around' }).click();
  await page.getByText('Tick off what you have tried.').waitFor();
  await page.getByRole('checkbox').first().click();
  await page.getByText('Saved').waitFor();
  await page.goto('/');
  const mine = page.getByRole('region', { name: 'Continue writing' });
  await mine.getByRole('link', { name: 'Welcome to Atrium' }).click();
  await expect.poll(() => page.getByRole('checkbox').first().isChecked()).toBe(true);
  await expectAccessible(page, 'welcome-note');
  visitor.expectNoFaults();
});
