import { launchBrowser } from '@atrium/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson } from '../accounts.ts';
import { type Atrium, startAtrium } from '../atrium.ts';
import { openLoggedIn } from './forms.ts';
import { type Hand, HANDS, mouse } from './hands.ts';

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

/** A browser in which this person is logged in, at their notes. */
const openNotes = (person: { email: string }) =>
  openLoggedIn(browser, atrium.urls.web, { email: person.email, path: '/notes', heading: 'Notes' });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

/** Creates a workspace and a note in it, which is open then. */
async function createNote(page: Page, workspace: string, hand: Hand = mouse): Promise<void> {
  await hand.press(button(page, 'New workspace').first());
  await hand.fill(dialog(page).getByLabel('Name'), workspace);
  await hand.press(button(page, 'Create workspace'));
  await page.getByRole('heading', { name: workspace }).waitFor();
  await hand.press(button(page, 'New note').first());
  await editor(page).waitFor();
}

test.each(HANDS)(
  'a note is written, tagged, found, shared and unshared, by $name',
  async (hand) => {
    const person = await createAccount(`writer-${hand.name}`);
    await using visitor = await openNotes(person);
    const { page } = visitor;
    await page.getByText('A workspace holds the notes').waitFor();
    await hand.look(page, 'notes-empty');
    await createNote(page, 'Garden', hand);
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Untitled note');
    await hand.look(page, 'note-new');
    await page.keyboard.type('Plans for autumn');
    await hand.fill(page.getByLabel('Add a tag'), 'bulbs');
    await page.keyboard.press('Enter');
    await hand.fill(editor(page), '');
    await page.keyboard.type(
      '# October\n\nPlant **tulips** and ~~crocus~~ daffodils.\n\n- [x] soil\nbulbs',
    );
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/tab');
    await page.getByRole('listbox').waitFor();
    await hand.look(page, 'note-slash-menu');
    await page.getByRole('option', { name: 'Table' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('early');
    await saved(page);
    await hand.look(page, 'note');

    await hand.press(button(page, 'Share'));
    await hand.look(page, 'note-share');
    await hand.press(button(page, 'Create public link'));
    const url = await dialog(page).getByLabel('Public link').inputValue();
    await hand.look(page, 'note-public');
    await hand.press(button(page, 'Copy link'));
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url);
    await using stranger = await visitor.context.browser()?.newContext();
    const reader = await stranger?.newPage();
    const response = await reader?.goto(url);
    expect(await response?.text()).toContain('tulips');
    await hand.press(button(page, 'Stop sharing'));
    await page.getByText('The note is private again').waitFor();
    expect((await reader?.goto(url))?.status()).toBe(404);
    await page.keyboard.press('Escape');

    await hand.press(page.getByRole('link', { name: 'Garden' }));
    await page.getByRole('link', { name: 'Plans for autumn' }).waitFor();
    await hand.look(page, 'workspace');
    await hand.fill(page.getByRole('searchbox'), 'tulip');
    await page.keyboard.press('Enter');
    await page.getByText('1 note found').waitFor();
    expect(await page.locator('mark').first().textContent()).toBe('tulips');
    await hand.look(page, 'notes-search');
    visitor.expectNoFaults();
  },
);
