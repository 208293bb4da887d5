import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { uniqueInput } from '../accounts.ts';
import { call } from '../client.ts';
import { startJourneys } from './journeys.ts';
import { isInView, expectAccessible } from './accessibility.ts';
import { answerHeaders, REJECTION } from './network.ts';
import { callNotes, createNotes, PNG } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

/** A browser in which this person is logged in, at their notes. */
const openNotes = (person: { email: string }) => openAs(person, '/notes', 'Notes');

const button = (page: Page, name: string) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

test('a note shows what it means, its size, and what stops it from being saved', async () => {
  const person = await createAccount('author');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    {
      title: 'Everything',
      content: [
        '# Heading',
        'Text with **bold**, _italic_, `code` and a [link](https://example.com).',
        '- [x] done\n- [ ] open\n- item',
        '> A quote',
        '```js\nconst a = 1;\n```',
        '| a | b |\n| --- | --- |\n| 1 | 2 |',
        '<script>alert(1)</script>',
      ].join('\n\n'),
    },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/notes/${id}`);
  const line = (text: string) => editor(page).locator('.cm-line').getByText(text, { exact: true });
  await line('Heading').waitFor();
  await line('Text with bold, italic, code and a link.').waitFor();
  await line('A quote').waitFor();
  await line('<script>alert(1)</script>').waitFor();
  await editor(page).getByRole('link', { name: 'link', exact: true }).waitFor();
  await editor(page).getByRole('cell', { name: '2' }).waitFor();
  expect(await editor(page).getByRole('checkbox', { name: 'done' }).isChecked()).toBe(true);
  await expectAccessible(page, 'note-live');
  // What the cursor touches is shown as it is written, or all of it.
  await line('Heading').click();
  await line('# Heading').waitFor();
  await line('Text with bold, italic, code and a link.').waitFor();
  await page.keyboard.press('Control+Shift+m');
  await line('Text with **bold**, _italic_, `code` and a [link](https://example.com).').waitFor();
  await line('| 1 | 2 |').waitFor();
  await expectAccessible(page, 'note-source');
  await page.keyboard.press('Control+Shift+m');
  await line('A quote').waitFor();
  await page.keyboard.press('Control+Home');
  await page.getByRole('textbox', { name: 'Title' }).fill('');
  await page.getByText('Title is required').waitFor();
  // Enter goes on to the text.
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('x'.repeat(52_000));
  await page.getByText(/kB too large for this workspace/).waitFor();
  const status = page.getByText(/^Not saved: /);
  await status.waitFor();
  await page.keyboard.press('Control+End');
  const scrollY = () => page.evaluate<number>('scrollY');
  await expect.poll(scrollY).toBeGreaterThan(0);
  await expect.poll(() => isInView(status)).toBe(true);
  const endY = await scrollY();
  await page.keyboard.press('Control+Home');
  await expect.poll(scrollY).toBeLessThan(endY);
  const tooLarge = page.getByText(/kB too large for this workspace/);
  await expect.poll(() => isInView(tooLarge)).toBe(true);
  expect(await page.getByText('You can only read').count()).toBe(0);
  await expectAccessible(page, 'note-too-large');
  const [question] = await Promise.all([
    page.waitForEvent('dialog'),
    page.close({ runBeforeUnload: true }),
  ]);
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await editor(page).focus();
  await page.keyboard.press('Control+z');
  await page.getByRole('textbox', { name: 'Title' }).fill('Less');
  await saved(page);
  visitor.expectNoFaults();
});

test('files are attached, shown and saved; what fails is tried again or cancelled', async () => {
  const person = await createAccount('attacher');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plans' }]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/notes/${id}`);
  const choose = page.locator('input[type=file]');
  await choose.setInputFiles({ name: 'garden.png', mimeType: 'image/png', buffer: PNG });
  await page.getByRole('img', { name: 'garden.png' }).waitFor();

  // A request that fails leaves the place of its file, also while one goes on writing.
  let isOffline = true;
  let sent = 0;
  await page.route('**/attachments?name=*', async (route) => {
    if (route.request().method() === 'POST') sent += 1;
    await (isOffline ? route.abort() : route.continue());
  });
  await editor(page).focus();
  await page.keyboard.press('Control+End');
  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File(['Tulips'], 'plan.txt', { type: 'text/plain' }));
    const init = { clipboardData: data, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', init));
  }`);
  await button(page, 'Try again').waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Before ');
  await expectAccessible(page, 'note-upload-failed');
  isOffline = false;
  await button(page, 'Try again').click();
  const link = editor(page).getByRole('link', { name: 'plan.txt' });
  await link.waitFor();
  const read = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`)).body['content'];
  const file = String.raw`\(/api/attachments/fil_\w+/content`;
  await expect
    .poll(read)
    .toMatch(
      new RegExp(String.raw`^Before !\[garden.png\]${file}\) \[plan.txt\]${file} "0.1 kB"\)$`),
    );
  await expectAccessible(page, 'note-attachments');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    link.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  expect(download.suggestedFilename()).toBe('plan.txt');

  const sentBefore = sent;
  await choose.setInputFiles({
    name: 'film.mp4',
    mimeType: 'video/mp4',
    buffer: Buffer.alloc(11 * 1024 ** 2),
  });
  await page.getByText('A file may have at most 10 MB in this workspace').waitFor();
  expect(sent).toBe(sentBefore);
  await button(page, 'Cancel film.mp4').click();
  await page.getByText('film.mp4').first().waitFor({ state: 'detached' });
  await editor(page).focus();
  await page.keyboard.press('Control+z');
  await link.waitFor({ state: 'detached' });
  await page.getByText('Before').first().waitFor();
});

test('a note that cannot be loaded says so; sharing waits for a verified email', async () => {
  const input = uniqueInput('unverified-author');
  await call('POST', `${atrium.urls.auth}/auth/register`, { body: input });
  await using visitor = await openNotes(input);
  const { page } = visitor;
  await page.goto('/notes/note_01m81mztmfehgvqnb0gvq0vtn8');
  await page.getByText('Note not found').waitFor();
  await page.goto('/notes');
  await button(page, 'New workspace').first().click();
  await dialog(page).getByLabel('Name').fill('Garden');
  await button(page, 'Create workspace').click();
  await button(page, 'New note').first().click();
  await editor(page).fill('Tulips');
  await saved(page);
  // What could not be loaded is not an empty note.
  await page.route(/\/api\/notes\/note_\w+$/, (route) =>
    route.fulfill({ status: 409, headers: answerHeaders(atrium.urls.web), json: REJECTION }),
  );
  await page.reload();
  await button(page, 'Try again').waitFor();
  expect(await editor(page).count()).toBe(0);
  await page.unrouteAll();
  await button(page, 'Try again').click();
  await editor(page).getByText('Tulips').waitFor();
  await button(page, 'Share').click();
  await page.getByText('Before you share a note:').waitFor();
  await expectAccessible(page, 'note-share-unverified');
  visitor.expectNoFaults();
});

test.each([
  ['locks', 'Object.defineProperty(navigator, "locks", { value: undefined })'],
  ['database', 'IDBFactory.prototype.open = () => ({})'],
])('a browser without %s says that it keeps no drafts, and saves', async (lack, script) => {
  const person = await createAccount(`without-${lack}`);
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Plans', content: 'Tulips' },
  ]);
  const path = `/api/notes/${id}`;
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.addInitScript(script);
  await page.goto(`/notes/${id}`);
  await page.getByText('This browser keeps no drafts').waitFor();
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(', roses');
  const read = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', path)).body['content'];
  await expect.poll(read).toBe('Tulips, roses');
  await expectAccessible(page, 'note-no-drafts');
  visitor.expectNoFaults();
  await callNotes(atrium.urls.notes, person, 'DELETE', path);
  await page.getByText('This note was deleted').waitFor();
  expect(await page.getByText('kept on this device').count()).toBe(0);
  await page.getByRole('link', { name: 'Home' }).click();
  await button(page, 'Stay').click();
  await button(page, 'Discard').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText('The text is discarded').waitFor();
});

test('Tab goes through the cells of a table, and adds a row behind the last one', async () => {
  const person = await createAccount('tabulator');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Beds', content: '| a | b |\n| - | - |\n| 1 | 2 |\n\nbelow' },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/notes/${id}`);
  await editor(page).getByRole('cell', { name: '1' }).click();
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  for (const text of ['4', '5', '6']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('!');
  const read = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`)).body['content'];
  await expect.poll(read).toBe('| a | b |\n| - | - |\n| 1 | 23 |\n| 4 | 5! |\n| 6 |  |\n\nbelow');
  visitor.expectNoFaults();
});
