import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { logOut } from './account-menu.ts';
import { startJourneys } from './journeys.ts';

const { atrium, createAccount, openAs } = await startJourneys();

/** More than the time in which a deletion can be undone. */
const AFTER_UNDO_MS = 15_000;

/** Where the short link leads; null when there is none. */
async function follow(slug: string): Promise<string | null> {
  const response = await fetch(`${atrium.urls.links}/${slug}`, { redirect: 'manual' });
  return response.headers.get('location');
}

/** The page of a new link. */
async function openLink(slug: string) {
  const person = await createAccount('deleter');
  const created = await call('POST', `${atrium.urls.links}/api/links`, {
    token: person.accessToken,
    body: { url: 'https://example.com', slug },
  });
  const path = `/links/${String(created.body['id'])}`;
  return openAs(person, path, `${new URL(atrium.urls.links).host}/${slug}`);
}

/** The time of the page then stands still, so that nothing is sent before its test wants that. */
async function deleteLink(page: Page) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Delete link' }).click();
  await page.waitForURL('/links');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
}

test('a deleted link is gone once it can no longer be brought back', async () => {
  await using visitor = await openLink('short-lived');
  const { page } = visitor;
  await deleteLink(page);
  await page.goBack();
  await page.getByRole('heading', { name: 'This link is being deleted' }).waitFor();
  await page.clock.resume();
  await expectAccessible(page, 'link-deleting');
  await page.clock.runFor(AFTER_UNDO_MS);
  await page.getByRole('heading', { name: 'Link not found' }).waitFor();
  await expect.poll(() => follow('short-lived')).toBeNull();
  visitor.expectNoFaults();
});

test('a deletion that fails names its link', async () => {
  await using visitor = await openLink('kept-after-all');
  const { page } = visitor;
  await deleteLink(page);
  await page.context().setOffline(true);
  await page.clock.resume();
  await page.clock.runFor(AFTER_UNDO_MS);
  await page.getByText('kept-after-all was not deleted.').waitFor();
});

test('a deletion that is undone is never sent', async () => {
  await using visitor = await openLink('brought-back');
  const { page } = visitor;
  const deletions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(request.url());
  });
  await deleteLink(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.clock.resume();
  await page.getByRole('link', { name: /\/brought-back$/ }).waitFor();
  await page.clock.runFor(AFTER_UNDO_MS);
  // Another page is loaded, before which its requests would have been sent.
  await page.goto('/login');
  expect(await follow('brought-back')).toBe('https://example.com');
  expect(deletions).toEqual([]);
  visitor.expectNoFaults();
});

test('Undo goes when the deletion is sent, also while it has the focus', async () => {
  await using visitor = await openLink('hesitated');
  const { page } = visitor;
  await deleteLink(page);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await page.clock.runFor(AFTER_UNDO_MS);
  await undo.waitFor({ state: 'detached' });
  await expect.poll(() => follow('hesitated')).toBeNull();
  visitor.expectNoFaults();
});

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['closed', (page) => page.close()],
  ['reloaded', (page) => page.reload()],
  ['left', (page) => page.goto('about:blank')],
  ['logged-out', (page) => logOut(page)],
])('a deletion is sent at once when its page is %s', async (slug, leave) => {
  await using visitor = await openLink(slug);
  await deleteLink(visitor.page);
  await leave(visitor.page);
  await expect.poll(() => follow(slug)).toBeNull();
});
