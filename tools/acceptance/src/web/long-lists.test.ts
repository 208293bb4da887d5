import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { isInView } from './accessibility.ts';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

/** Rows of more pages than are loaded again because they are old. */
const ROWS = 76;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('link', { name, exact: true });

/**
 * Has a list come in pages of fifteen rows, of which the window shows a few.
 *
 * @returns the requests for these pages from now on
 */
async function shortenPages(page: Page, path: RegExp): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 300 });
  const requested: string[] = [];
  await page.route(path, (route) => {
    const url = route.request().url();
    if (route.request().method() === 'GET') requested.push(url);
    return route.continue({ url: url.replace('limit=100', 'limit=15') });
  });
  return requested;
}

/** The first page is loaded again wherever the list was left before it came. */
const laterPages = (requested: readonly string[]) =>
  requested.filter((url) => new URL(url).searchParams.has('cursor'));

/** Scrolls to the end of a list until this many of its rows are loaded. */
async function loadRows(page: Page, count: number): Promise<void> {
  const end = page.getByText(/^\d+ shown$/);
  const shown = async () => {
    await end.scrollIntoViewIfNeeded();
    return end.textContent();
  };
  await expect.poll(shown).toBe(`${count} shown`);
}

test('a note is renamed without loading its list again, and created with one page of it', async () => {
  const person = await createAccount('archivist');
  const titles = Array.from({ length: ROWS }, (_, index) => ({ title: `Note ${index}` }));
  const [id] = await createNotes(atrium.urls.notes, person, 'Garden', titles);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  const requested = await shortenPages(page, /\/notes\?/);
  await page.goto(`/workspaces/${id}`);
  await loadRows(page, ROWS);
  requested.length = 0;
  await link(page, 'Note 0').click();
  await page.getByRole('textbox', { name: 'Title' }).fill('First note');
  await page.getByText('Saved', { exact: true }).waitFor();
  await link(page, 'Garden').click();
  await link(page, 'First note').waitFor();
  await loadRows(page, ROWS);
  expect(requested).toEqual([]);
  await button(page, 'New note').click();
  // One with nothing in it is gone once it is left.
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.type('Tulips');
  await page.getByText('Saved', { exact: true }).waitFor();
  await link(page, 'Garden').click();
  await link(page, 'Untitled note').waitFor();
  expect(laterPages(requested)).toEqual([]);
  visitor.expectNoFaults();
});

test('a link is edited and deleted without loading its list again, and created with one page of it', async () => {
  const person = await createAccount('collector');
  for (let index = 1; index <= ROWS; index += 1) {
    await call('POST', `${atrium.urls.links}/api/links`, {
      token: person.accessToken,
      body: { url: `https://example.com/${index}`, slug: `kept-${index}` },
    });
  }
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  const requested = await shortenPages(page, /\/api\/links\?/);
  await page.goto('/links');
  await loadRows(page, ROWS);
  requested.length = 0;
  await link(page, /\/kept-1$/).click();
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await button(page, 'Delete link').click();
  await loadRows(page, ROWS - 1);
  await link(page, /\/kept-2$/).click();
  await page.getByLabel('Short name').fill('renamed-2');
  await button(page, 'Save').click();
  await page.getByText('Link saved').waitFor();
  await link(page, 'Links').click();
  await loadRows(page, ROWS - 1);
  await link(page, /\/renamed-2$/).waitFor();
  await deleted;
  await loadRows(page, ROWS - 1);
  expect(requested).toEqual([]);
  await button(page, 'New link').click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Destination').fill('https://example.com/new');
  await form.getByLabel('Short name').fill('added');
  await button(page, 'Create link').click();
  await page.getByRole('heading', { name: /added/ }).waitFor();
  await link(page, 'Links').click();
  await link(page, /\/added$/).waitFor();
  expect(laterPages(requested)).toEqual([]);
  visitor.expectNoFaults();
});

test('what could not be loaded of a list is said at its end, and loaded when it is asked for', async () => {
  const person = await createAccount('commuter');
  const titles = Array.from({ length: ROWS }, (_, index) => ({ title: `Note ${index}` }));
  const [id] = await createNotes(atrium.urls.notes, person, 'Garden', titles);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  await shortenPages(page, /\/notes\?/);
  let isOffline = true;
  await page.route(/[?&]cursor=/, (route) => (isOffline ? route.abort() : route.fallback()));
  await page.goto(`/workspaces/${id}`);
  await link(page, `Note ${ROWS - 1}`).waitFor();
  // Whoever reads the list is at its end.
  await page.keyboard.press('End');
  const alert = page.getByRole('main').getByRole('alert');
  await alert.waitFor();
  expect(await isInView(alert)).toBe(true);
  isOffline = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await loadRows(page, ROWS);
  expect(await alert.count()).toBe(0);
});
