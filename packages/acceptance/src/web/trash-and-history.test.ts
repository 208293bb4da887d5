import { launchBrowser } from '@atrium/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, type Person } from '../accounts.ts';
import { type Atrium, startAtrium } from '../atrium.ts';
import { openLoggedIn } from './forms.ts';
import { keyboard } from './hands.ts';
import { look } from './look.ts';
import { callNotes, createNotes } from './notes.ts';

let atrium: Atrium;
let browser: Browser;
beforeAll(async () => {
  [atrium, browser] = await Promise.all([startAtrium(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await atrium[Symbol.asyncDispose]();
});

const createAccount = (username: string) =>
  createPerson(atrium.urls.auth, atrium.mailbox, username);

const open = (person: Person, path: string, heading: string) =>
  openLoggedIn(browser, atrium.urls.web, { email: person.email, path, heading });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a note comes back from the trash, goes for good, and the trash is emptied', async () => {
  const person = await createAccount('thrower');
  const garden = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Tulips' },
    { title: `Bulbs ${'that flower early '.repeat(8)}` },
  ]);
  const home = await createNotes(atrium.urls.notes, person, 'Home', [{ title: 'Lamps' }]);
  await using visitor = await open(person, '/trash', 'Trash');
  const { page } = visitor;
  await page.getByText('The trash is empty.').waitFor();
  await look(page, 'trash-empty');
  for (const id of [...garden.slice(1), ...home.slice(1)]) {
    await callNotes(atrium.urls.notes, person, 'DELETE', `/api/notes/${id}`);
  }
  await page.reload();
  await page.getByText('Home · Deleted just now · Gone for good').waitFor();
  await look(page, 'trash');
  await keyboard.press(button(page, 'Restore Tulips'));
  await page.getByText('Tulips is restored').waitFor();
  await button(page, 'Undo').click();
  await button(page, 'Restore Tulips').waitFor();
  await button(page, 'Delete for good: Lamps').click();
  await button(page, 'Delete for good').last().click();
  await page.getByText('Lamps is deleted for good').waitFor();
  await button(page, 'Empty trash').click();
  await page.getByText('2 notes in Garden are deleted for good.').waitFor();
  await look(page, 'trash-empty-it');
  await button(page, 'Empty trash').last().click();
  await page.getByText('The trash is empty. A note').waitFor();
  expect(await button(page, 'Empty trash').count()).toBe(0);
  visitor.expectNoFaults();
});
