import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { registrationInput } from '../accounts.ts';
import { call } from '../client.ts';
import { startJourneys } from './journeys.ts';
import { look } from './look.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

/** A browser in which this person is logged in, at their notes. */
const openNotes = (person: { email: string }) => openAs(person, '/notes', 'Notes');

const button = (page: Page, name: string) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

test('a note shows its preview, its size, and what stops it from being saved', async () => {
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
  await page.goto(`/notes/${id}?view=split`);
  await page.getByRole('region', { name: 'Preview' }).getByText('Heading').waitFor();
  await look(page, 'note-split');
  await page.getByText('Preview', { exact: true }).click();
  await page.waitForURL(/view=preview/);
  await look(page, 'note-preview');
  await page.getByText('Write', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('');
  await page.getByText('Title is required').waitFor();
  // Enter goes on to the text.
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('x'.repeat(52_000));
  await page.getByText(/kB too large for this workspace/).waitFor();
  await page.getByText(/^Not saved: /).waitFor();
  await look(page, 'note-too-large');
  await page.keyboard.press('Control+z');
  await page.getByRole('textbox', { name: 'Title' }).fill('Less');
  await saved(page);
  visitor.expectNoFaults();
});

test('styles follow what is typed, and a list ends with a blank line', async () => {
  const person = await createAccount('stylist');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Bread', content: '# Dough' },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/notes/${id}`);
  const sizeOf = async (text: string) => {
    const line = `[...document.querySelectorAll('.cm-line')].find((line) => line.textContent.endsWith('${text}'))`;
    const style = `getComputedStyle(${line}.lastElementChild ?? ${line})`;
    return Number.parseFloat(String(await page.evaluate(`${style}.fontSize`)));
  };
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\nMix');
  const heading = await sizeOf('Dough');
  await expect.poll(() => sizeOf('Mix')).toBeLessThan(heading);
  const text = await sizeOf('Mix');
  await page.keyboard.press('Home');
  await page.keyboard.type('## ');
  await expect.poll(() => sizeOf('Mix')).toBeGreaterThan(text);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\n- flour\n\nThen wait');
  await saved(page);
  const read = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`)).body;
  await expect.poll(read).toMatchObject({ content: '# Dough\n\n## Mix\n\n- flour\n\nThen wait' });
  visitor.expectNoFaults();
});

test('what was changed or deleted elsewhere is chosen, copied or kept', async () => {
  const person = await createAccount('twice');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Plans', content: 'one\n\ntwo\n\nthree' },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  // A page that hears of nothing.
  await page.route('**/presence', (route) => route.abort());
  await page.goto(`/notes/${id}`);
  await editor(page).click();
  await callNotes(atrium.urls.notes, person, 'PATCH', `/api/notes/${id}`, {
    content: 'ONE\n\ntwo\n\n3',
    title: 'Theirs',
  });
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and four');
  await page.getByRole('textbox', { name: 'Title' }).fill('Mine');
  await page.getByText('The same lines were changed elsewhere').waitFor();
  await look(page, 'note-collision');
  await button(page, 'Compare and choose').click();
  await button(page, 'Apply choices').click();
  await page.getByText('Choose for every change').waitFor();
  await look(page, 'note-choose');
  await page.getByLabel('Keep yours').first().check();
  await page.getByLabel('Keep both').last().check();
  await button(page, 'Apply choices').click();
  await saved(page);
  const { body } = await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`);
  expect(body).toMatchObject({ title: 'Mine', content: 'ONE\n\ntwo\n\nthree and four\n3' });

  await callNotes(atrium.urls.notes, person, 'DELETE', `/api/notes/${id}`);
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and five');
  await page.getByText('This note was deleted').waitFor();
  await look(page, 'note-deleted');
  await page.getByRole('button', { name: 'Copy text' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('and five');
  await button(page, 'Save as a new note').click();
  await page.waitForURL((url) => !url.pathname.endsWith(String(id)));
  await page.getByText('and five').waitFor();
  await saved(page);
});

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

test('files are attached, shown and saved; what fails is tried again or cancelled', async () => {
  const person = await createAccount('attacher');
  const [, id] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plans' }]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/notes/${id}?view=split`);
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
  await look(page, 'note-upload-failed');
  isOffline = false;
  await button(page, 'Try again').click();
  const link = page
    .getByRole('region', { name: 'Preview' })
    .getByRole('link', { name: 'plan.txt' });
  await link.waitFor();
  await saved(page);
  const { body } = await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`);
  const file = String.raw`\(/api/attachments/fil_\w+/content`;
  expect((body as { content: string }).content).toMatch(
    new RegExp(String.raw`^Before !\[garden.png\]${file}\) \[plan.txt\]${file} "0.1 kB"\)$`),
  );
  await look(page, 'note-attachments');
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
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
  const input = registrationInput('unverified-author');
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
  await editor(page).waitFor();
  await button(page, 'Share').click();
  await page.getByText('Before you share a note:').waitFor();
  await look(page, 'note-share-unverified');
  visitor.expectNoFaults();
});
