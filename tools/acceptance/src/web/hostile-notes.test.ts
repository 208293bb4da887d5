import { HOSTILE_MARKDOWN } from '@atrium/testkit/hostile-markdown';
import { startReceiver } from '@atrium/testkit/receiver';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, text } from '../client.ts';
import { startJourneys } from './journeys.ts';

const NOTES = 2;
/** As many as a workspace of a free plan may have. */
const LISTED = 100;
const PARALLEL_REQUESTS = 8;
const TITLE_LENGTH_MAX = 200;
const ALL_ROWS = { width: 1280, height: 8000 };
const IMAGE = '"><img src=x onerror=alert(1)>';

const SCREEN_PX = 700;
const SCREENS = 20;

/** What a click on a link, or an element of a note, would load or run. */
const unsafeAddresses = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.cm-content :is([href], [src], script, style, iframe, svg)')]
    .filter(({ href = '', src = '' }) => !/^(https?:|mailto:|blob:)/.test(href || src))
    .map(({ outerHTML }) => outerHTML)`);

const { atrium, createAccount, visit, openAs } = await startJourneys();

/** The dialogs that a page opens and the requests that it sends to others. */
function watch(page: Page): string[] {
  const happened: string[] = [];
  page.on('dialog', (dialog) => {
    happened.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^http:\/\/(localhost|127\.0\.0\.1):/.test(request.url())) happened.push(request.url());
  });
  return happened;
}

/** Stores the corpus as the public notes of a new account, whose webhook is told of them, and a link. */
async function storeCorpus(endpoint: string) {
  const person = await createAccount('mallory');
  const send = async (url: string, body: object = {}) =>
    (await call('POST', url, { token: person.accessToken, body })).body;
  const api = `${atrium.urls.notes}/api`;
  const hostile = `?${IMAGE}<svg/onload=alert(1)>`;
  const webhook = { url: endpoint + hostile, events: ['note.shared'], description: IMAGE };
  const webhookId = text(await send(`${atrium.urls.webhooks}/api/webhooks`, webhook), 'id');
  const workspaceId = text(await send(`${api}/workspaces`, { name: IMAGE }), 'id');
  const size = HOSTILE_MARKDOWN.length / NOTES;
  const notes: { id: string; url: string; title: string }[] = [];
  for (let index = 0; index < NOTES; index += 1) {
    const title = `</title>${IMAGE} ${index}`;
    const content = HOSTILE_MARKDOWN.slice(index * size, (index + 1) * size).join('\n\n');
    const tags = ['</li><script>alert(1)</script>'];
    const note = await send(`${api}/workspaces/${workspaceId}/notes`, { title, content, tags });
    const id = text(note, 'id');
    notes.push({ id, title, url: text(await send(`${api}/notes/${id}/share`), 'url') });
  }
  const lists: string[] = [];
  for (let start = 0; start < HOSTILE_MARKDOWN.length; start += LISTED) {
    const list = text(await send(`${api}/workspaces`, { name: `${IMAGE} ${start}` }), 'id');
    const remaining = HOSTILE_MARKDOWN.slice(start, start + LISTED).values();
    const createRemaining = async () => {
      for (const content of remaining) {
        const title = content.replaceAll(/\s+/g, ' ').slice(0, TITLE_LENGTH_MAX);
        await send(`${api}/workspaces/${list}/notes`, { title, content });
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, createRemaining));
    lists.push(list);
  }
  const url = `https://example.com/${hostile}`;
  await send(`${atrium.urls.links}/api/links`, { url, slug: 'hostile' });
  return { person, lists: [workspaceId, ...lists], notes, webhookId };
}

test('hostile notes run nothing and load nothing on their page, where they are written and in lists', async () => {
  await using receiver = await startReceiver({ respond: () => ({ status: 500, body: IMAGE }) });
  const { person, lists, notes, webhookId } = await storeCorpus(receiver.url);
  await receiver.waitFor(NOTES);
  await using reader = await visit();
  await using writer = await openAs(person, '/notes', 'Notes');
  const happened = [watch(reader.page), watch(writer.page)];
  const { page } = writer;
  for (const { id, url, title } of notes) {
    await reader.page.goto(url, { waitUntil: 'networkidle' });
    await reader.page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.goto(`/notes/${id}`);
    const editor = page.getByRole('textbox', { name: 'Note' });
    await editor.locator('.cm-line').first().waitFor();
    // Only what is in view is shown, and it is shown in two ways.
    for (let screen = 0; screen < SCREENS; screen += 1) {
      await page.mouse.wheel(0, SCREEN_PX);
      expect(await unsafeAddresses(page)).toEqual([]);
    }
    await editor.click();
    await page.keyboard.press('Control+Shift+m');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Shift+m');
    await page.keyboard.press('Control+Home');
    expect(await unsafeAddresses(page)).toEqual([]);
    expect(happened).toEqual([[], []]);
  }
  await page.setViewportSize(ALL_ROWS);
  for (const list of lists) {
    await page.goto(`/workspaces/${list}`);
    const count = list === lists[0] ? NOTES : LISTED;
    await page.locator(`li[aria-setsize='${count}'][aria-posinset='${count}']`).waitFor();
  }
  for (const word of ['onerror', 'javascript', 'attacker']) {
    await page.goto(`/notes?q=${word}`);
    await page.locator('mark').first().waitFor();
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/links');
  await page.getByText(/^example\.com\/\?/).waitFor();
  for (const path of ['/webhooks', `/webhooks/${webhookId}`, '/deliveries']) {
    await page.goto(path);
    await page.getByText(IMAGE).first().waitFor({ state: 'attached' });
  }
  await page.getByRole('listitem').getByText(IMAGE).first().waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'note.shared' }).first().click();
  await page.getByRole('region', { name: 'Attempts' }).getByText(IMAGE).first().waitFor();
  expect(happened).toEqual([[], []]);
  // Nor does a policy have anything to report.
  reader.expectNoFaults();
  writer.expectNoFaults();
});
