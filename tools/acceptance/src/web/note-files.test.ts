import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { callNotes, createNotes, PNG } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();
const { notes } = atrium.urls;

const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });

test('a picture without a description shows where the note is written, and as Markdown at a click', async () => {
  const person = await createAccount('illustrator');
  const [workspaceId = '', id = ''] = await createNotes(notes, person, 'Garden', [
    { title: 'Plans' },
  ]);
  const answer = await fetch(`${notes}/api/workspaces/${workspaceId}/attachments?name=plan.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.accessToken}` },
    body: PNG,
  });
  const { path } = (await answer.json()) as { path: string };
  const content = `above\n\n![](${path})\n\n![](https://example.com/elsewhere.png)`;
  await callNotes(notes, person, 'PATCH', `/api/notes/${id}`, { content });
  await using visitor = await openAs(person, `/notes/${id}`, 'Plans');
  const { page } = visitor;
  const picture = editor(page).locator('img[src^="blob:"]');
  await picture.waitFor();
  await editor(page).getByText('![](https://example.com/elsewhere.png)').waitFor();
  expect(await editor(page).getByText(path).count()).toBe(0);
  await picture.click();
  await editor(page).getByText(`![](${path})`).waitFor();
  visitor.expectNoFaults();
});

test('the question before a note is left names the file that failed to upload, not the text', async () => {
  const person = await createAccount('uploader');
  const [, id = ''] = await createNotes(notes, person, 'Garden', [{ title: 'Plans' }]);
  await using visitor = await openAs(person, `/notes/${id}`, 'Plans');
  const { page } = visitor;
  await page.route('**/attachments?name=*', (route) => route.abort());
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: PNG });
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByText('Files that are not uploaded yet are lost.').waitFor();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Cancel plan.png' }).click();
});
