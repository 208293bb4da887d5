import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person } from '../accounts.ts';
import { logInAs } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';
import { PHONE } from './visitor.ts';
import { share, startEndpoint, subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, visit } = await startJourneys();

const SHORT = { ...PHONE, viewport: { width: 390, height: 420 } };
const bottomBar = (page: Page) => page.getByRole('navigation', { name: 'Sections' });

async function openOnPhone(path: string, { email }: Person) {
  const visitor = await visit('en-GB', SHORT);
  await visitor.page.goto(`/login?return_to=${encodeURIComponent(path)}`);
  await logInAs(visitor.page, email);
  return visitor;
}

/** The upper and the lower edge of what is in view. */
async function edgesOf(element: Locator): Promise<{ top: number; bottom: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${String(element)} is not shown`);
  return { top: box.y, bottom: box.y + box.height };
}

test('what can be done with selected deliveries stands above the bar of a phone', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('thumb');
  await subscribe(atrium, person, `${endpoint.url}/hook`);
  for (let count = 0; count < 4; count += 1) await share(atrium, person);
  await endpoint.waitFor(4);
  await using visitor = await openOnPhone('/deliveries', person);
  const { page } = visitor;
  await page.getByLabel('Select all shown').check();
  const selected = page.getByRole('region', { name: '4 selected' });
  const { bottom } = await edgesOf(selected);
  expect(bottom).toBeLessThan((await edgesOf(bottomBar(page))).top);
  await page.getByRole('button', { name: 'Clear selection' }).tap();
  await selected.waitFor({ state: 'detached' });
  visitor.expectNoFaults();
});

test('a long note scrolls below the bars of a phone, and its size stands above them', async () => {
  const person = await createAccount('writer');
  const content = 'Tulips\n\n'.repeat(5_900);
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Long', content },
  ]);
  await using visitor = await openOnPhone(`/notes/${id}`, person);
  const { page } = visitor;
  const size = page.getByText('The note is nearly as large');
  await size.waitFor();
  expect((await edgesOf(size)).bottom).toBeLessThan((await edgesOf(bottomBar(page))).top);
  await page.mouse.wheel(0, 2_000);
  const place = page.getByRole('navigation', { name: 'Where the note is' });
  const topBar = page.getByRole('navigation', { name: 'Atrium', exact: true });
  // Its own padding apart, the bar of the note follows the bar of the phone.
  await expect
    .poll(async () => (await edgesOf(place)).top - (await edgesOf(topBar)).bottom)
    .toBeLessThan(20);
  visitor.expectNoFaults();
});

test('the text of a note stays where it is while it is being saved', async () => {
  const person = await createAccount('typist');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'The garden behind the house', [
    { title: 'Plan', content: 'Tulips' },
  ]);
  await using visitor = await openOnPhone(`/notes/${id}`, person);
  const { page } = visitor;
  await page.setViewportSize({ width: 360, height: 640 });
  const text = page.getByRole('textbox', { name: 'Note' });
  const state = (name: string) => page.getByText(name, { exact: true }).waitFor();
  await text.click();
  await state('Saved');
  const { top } = await edgesOf(text);
  const answer = Promise.withResolvers<void>();
  await page.route(`**/api/notes/${id}`, async (route) => {
    await answer.promise;
    await route.continue();
  });
  // Otherwise it is saved as soon as a person pauses.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.type('!');
  await state('Not saved yet');
  expect((await edgesOf(text)).top).toBe(top);
  await page.clock.resume();
  await state('Saving…');
  expect((await edgesOf(text)).top).toBe(top);
  answer.resolve();
  await state('Saved');
  visitor.expectNoFaults();
});

test('why a note is not saved leaves room for where it is', async () => {
  const person = await createAccount('phone-refused');
  const [, note = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plan' }]);
  await using visitor = await openOnPhone(`/notes/${note}`, person);
  const { page } = visitor;
  await page.getByLabel('Note', { exact: true }).click();
  await page.keyboard.insertText('x'.repeat(60_000));
  await page.getByText('Not saved: Content may have at most 50 kB in this workspace').waitFor();
  const garden = page.getByRole('navigation', { name: 'Where the note is' }).getByRole('link');
  expect((await garden.boundingBox())?.width).toBeGreaterThan(32);
  const [why, actions] = await Promise.all([
    edgesOf(page.locator('[data-saving=refused]')),
    edgesOf(page.getByRole('button', { name: 'Share' })),
  ]);
  expect((await edgesOf(garden)).bottom).toBeLessThanOrEqual(why.top);
  expect(actions.bottom).toBeLessThanOrEqual(why.top);
});

test('no field makes a phone zoom in, and the title of a note keeps its size', async () => {
  const person = await createAccount('reader');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plan' }]);
  await using visitor = await openOnPhone('/account', person);
  const { page } = visitor;
  const fontSize = "getComputedStyle(document.activeElement)['font-size']";
  const fields = [
    ['textbox', 'Username'],
    ['textbox', 'About you'],
    ['combobox', 'Language'],
  ] as const;
  for (const [role, name] of fields) {
    await page.getByRole('main').getByRole(role, { name, exact: true }).focus();
    expect([name, await page.evaluate(fontSize)]).toEqual([name, '16px']);
  }
  await page.goto(`/notes/${id}`);
  await page.getByRole('textbox', { name: 'Title' }).focus();
  expect(await page.evaluate(fontSize)).toBe('32px');
  visitor.expectNoFaults();
});
