import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { isInView, expectAccessible } from './accessibility.ts';
import { expectFocus } from './dialogs.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

/** A browser in which this person is logged in, at their notes. */
const openNotes = (person: { email: string }) => openAs(person, '/notes', 'Notes');

const button = (page: Page, name: string) => page.getByRole('button', { name });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

const DOUGH = '# Dough\n\n| a | b |\n| - | - |\n\n    bake()\n\n- [ ] buy';

test('styles follow what is typed, and a list ends with a blank line', async () => {
  const person = await createAccount('stylist');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Bread', content: DOUGH },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/notes/${id}`);
  /** The style of the last word of a line, or of the line itself. */
  const styleOf = (text: string, property: string, isOfLine = false) => {
    const line = `[...document.querySelectorAll('.cm-line')].find((line) => line.textContent.endsWith('${text}'))`;
    const element = isOfLine ? line : `(${line}.lastElementChild ?? ${line})`;
    return page.evaluate<string>(`getComputedStyle(${element}).${property}`);
  };
  const sizeOf = async (text: string) => Number.parseFloat(await styleOf(text, 'fontSize'));
  await editor(page).click();
  const font = await styleOf('Dough', 'fontFamily');
  await expect.poll(() => styleOf('bake()', 'fontFamily', true)).not.toBe(font);
  await editor(page).getByRole('checkbox', { name: 'buy' }).waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\nMix');
  const heading = await sizeOf('Dough');
  await expect.poll(() => sizeOf('Mix')).toBeLessThan(heading);
  const text = await sizeOf('Mix');
  await page.keyboard.press('Home');
  await page.keyboard.type('## ');
  await expect.poll(() => sizeOf('Mix')).toBeGreaterThan(text);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\n- flour\n\nThen wait ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('well');
  await page.keyboard.press('Shift+Home');
  await button(page, 'Quote').click();
  await saved(page);
  const read = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`)).body;
  const written = '\n\n## Mix\n\n- flour\n\n> Then wait **well**';
  await expect.poll(read).toMatchObject({ content: DOUGH + written });
  visitor.expectNoFaults();
});

const LIST =
  '- [ ] buy **yeast**\n- [ ] bake\n\nabove\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\nbelow';

test('tasks are ticked, tables are entered and links are followed where they are shown', async () => {
  const person = await createAccount('baker');
  const [, seeds = '', id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Seeds' },
    { title: 'Bread', content: `${LIST} [[Seeds]] and [[Trees]], [away](javascript:alert)` },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  const content = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`)).body['content'];
  await page.goto(`/notes/${id}`);
  const box = (name: string) => editor(page).getByRole('checkbox', { name });
  await box('buy').click();
  await box('bake').focus();
  await page.keyboard.press('Space');
  await expectFocus(box('bake'));
  await expect.poll(content).toContain('- [x] buy **yeast**\n- [x] bake');

  // The arrow keys go through a table as it is written; a click goes into its cell.
  const cell = editor(page).getByRole('cell', { name: '2' });
  expect(
    await page.evaluate(`getComputedStyle(document.querySelectorAll('td')[1]).textAlign`),
  ).toBe('end');
  await editor(page).getByText('above').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await editor(page).getByText('| a | b |').waitFor();
  for (let line = 0; line < 4; line += 1) await page.keyboard.press('ArrowDown');
  await cell.click();
  // A bar is a part of what the cell says.
  await page.keyboard.type('4|');
  await page.keyboard.press('Control+Home');
  await editor(page).getByRole('cell', { name: '4|2' }).waitFor();
  await expect.poll(content).toContain('| 1 | 4\\|2 |');

  const link = (name: string) => editor(page).getByRole('link', { name });
  await expect.poll(() => link('Trees').getAttribute('title')).toBe('No note has this title');
  expect(await link('away').count()).toBe(0);
  await link('Trees').click();
  await button(page, 'Open link').click();
  await page.getByText('No note has this title').waitFor();
  await link('Seeds').click({ modifiers: ['ControlOrMeta'] });
  await page.waitForURL(`**/notes/${seeds}`);
  visitor.expectNoFaults();
});

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** Pastes what another page has put into the clipboard. */
const paste = (page: Page, data: Record<string, string>) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer();
    for (const [type, value] of ${JSON.stringify(Object.entries(data))}) clipboardData.setData(type, value);
    const init = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', init));
  }`);

const COPIED =
  '<style>h2 { color: red }</style><h2 style="color: red">Dough</h2><p>Mix <b>well</b>, see <a href="https://example.com/a">there</a>.</p>' +
  '<ul><li>flour<ul><li>rye</li></ul></li><li>water</li></ul>' +
  '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2|3</td></tr></table><img src="x" onerror="alert(1)">';

const PASTED = [
  '## Dough',
  'Mix **well**, see [there](https://example.com/a).',
  '- flour\n  - rye\n- water',
  '| a | b |\n| --- | --- |\n| 1 | 2\\|3 |',
  '![](x)',
].join('\n\n');

test('lists are indented by keyboard, and what is pasted becomes Markdown', async () => {
  const person = await createAccount('paster');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Bread' }]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  const { keyboard } = page;
  const content = async () =>
    (await callNotes(atrium.urls.notes, person, 'GET', `/api/notes/${id}`)).body['content'];
  await page.goto(`/notes/${id}`);
  await editor(page).click();
  await keyboard.type('- one\ntwo');
  await keyboard.press('Tab');
  await keyboard.type('\nthree');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Control+Shift+ArrowLeft');
  await paste(page, { 'text/plain': 'https://example.com/three' });
  await expect.poll(content).toBe('- one\n  - two\n- [three](https://example.com/three)');
  await expectFocus(editor(page));
  await keyboard.press('Escape');
  await keyboard.press('Tab');
  expect(await page.locator('[aria-label=Note]:focus').count()).toBe(0);

  await editor(page).click();
  await keyboard.press('Control+a');
  await paste(page, { 'text/plain': 'Dough', 'text/html': COPIED });
  await expect.poll(content).toBe(PASTED);
  await paste(page, { 'text/plain': ' a', 'text/html': '<meta><span style="color:red"> a</span>' });
  await expect.poll(content).toBe(`${PASTED} a`);

  // A block within a line begins a paragraph of its own; the one that was used is offered first.
  const option = editor(page).locator('..').locator('..').getByRole('option');
  await keyboard.press('Control+a');
  await keyboard.press('Delete');
  await keyboard.type('Text /');
  await option.filter({ hasText: 'Heading 1' }).waitFor();
  expect(await option.first().textContent()).toBe('Heading 1');
  // An option cannot be chosen before it has been seen, which the editor takes for 75 ms.
  await page.waitForTimeout(100);
  await keyboard.type('quo');
  await keyboard.press('Enter');
  await keyboard.type('said /');
  await option.filter({ hasText: 'Heading 1' }).waitFor();
  expect(await option.first().textContent()).toBe('Quote');
  await expectAccessible(page, 'note-blocks');
  await keyboard.type('image');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    option.filter({ hasText: 'Image' }).click(),
  ]);
  await chooser.setFiles({ name: 'garden.png', mimeType: 'image/png', buffer: PNG });
  await page.getByRole('img', { name: 'garden.png' }).waitFor();
  await expect.poll(content).toMatch(/^Text\n\n> said !\[garden\.png\]\(\S+\)$/);

  // What is selected is formatted with the bar above it, also by keyboard.
  await keyboard.press('Control+a');
  await button(page, 'Italic').waitFor();
  await expectAccessible(page, 'note-selected');
  visitor.expectNoFaults();
});

test('the headings of a note lead through it, and a new one without a word is not kept', async () => {
  const person = await createAccount('leaver');
  const [workspaceId = '', id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Long', content: `# First\n\n${'text\n\n'.repeat(60)}## The **last**\n\nend` },
  ]);
  await using visitor = await openNotes(person);
  const { page } = visitor;
  await page.goto(`/notes/${id}`);
  const outline = page.getByRole('navigation', { name: 'On this page' });
  await outline.getByRole('button', { name: 'First' }).waitFor();
  await expectAccessible(page, 'note-outline');
  await outline.getByRole('button', { name: 'The last' }).click();
  await expect.poll(() => isInView(editor(page).getByText('## The last'))).toBe(true);
  await page.setViewportSize({ width: 1000, height: 800 });
  await outline.waitFor({ state: 'detached' });

  const left = async () => {
    const { body } = await callNotes(
      atrium.urls.notes,
      person,
      'GET',
      `/api/workspaces/${workspaceId}/notes`,
    );
    const trash = await callNotes(
      atrium.urls.notes,
      person,
      'GET',
      `/api/workspaces/${workspaceId}/trash`,
    );
    return [body, trash.body].map(({ data }) =>
      (data as { title: string }[]).map(({ title }) => title),
    );
  };
  const leaveNew = async (write: () => Promise<void>) => {
    await page.goto(`/workspaces/${workspaceId}`);
    await button(page, 'New note').first().click();
    await expectFocus(page.getByRole('textbox', { name: 'Title' }));
    await write();
    await page.getByRole('link', { name: 'Home' }).click();
    await editor(page).waitFor({ state: 'detached' });
  };
  await leaveNew(async () => {
    expect(await left()).toEqual([['Untitled note', 'Long'], []]);
  });
  await expect.poll(left).toEqual([['Long'], []]);
  expect(await page.getByText('is deleted').count()).toBe(0);
  await leaveNew(() => page.keyboard.type('Kept'));
  await expect.poll(left).toEqual([['Kept', 'Long'], []]);
  visitor.expectNoFaults();
});
