import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { logOut } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { slowDown } from './network.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();
const { notes } = atrium.urls;

const button = (page: Page, name: string) => page.getByRole('button', { name });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();
const home = (page: Page) => page.getByRole('link', { name: 'Home' });
const toasts = (page: Page) => page.getByRole('status');

/** Someone who has a note open, with the cursor at its end. */
async function openPlans(name: string, content = 'first') {
  const person = await createAccount(name);
  const [workspaceId = '', id = ''] = await createNotes(notes, person, 'Garden', [
    { title: 'Plans', content },
  ]);
  const visitor = await openAs(person, `/workspaces/${workspaceId}`, 'Garden');
  const { page, context } = visitor;
  await page.getByRole('main').getByRole('link', { name: 'Plans' }).click();
  await editor(page).click();
  await page.keyboard.press('Control+End');
  return {
    person,
    page,
    context,
    workspaceId,
    send: (method: string, path = '', body?: object) =>
      callNotes(notes, person, method, `/api/notes/${id}${path}`, body),
    stored: async () => (await callNotes(notes, person, 'GET', `/api/notes/${id}`)).body,
    [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose](),
  };
}

test('without the network a note opens with what this device has kept, and a click fails at once', async () => {
  await using visitor = await openPlans('offliner');
  const { page, context, stored } = visitor;
  await context.setOffline(true);
  await page.keyboard.type(' and second');
  await page.getByText('Offline: kept on this device').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Garden' }).click();
  await button(page, 'New note').first().click();
  await toasts(page).getByText('Atrium cannot be reached').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Plans' }).click();
  await editor(page).getByText('first and second').waitFor();
  await context.setOffline(false);
  await saved(page);
  expect(await stored()).toMatchObject({ content: 'first and second' });
});

test('what could not be saved when its page was left is named, and saved without the page', async () => {
  await using visitor = await openPlans('leaver', 'zero\n\nfirst');
  const { page, context, stored, send } = visitor;
  const patches = ({ pathname }: URL) => pathname.startsWith('/api/notes/');
  const reject = (route: Route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback();
  await page.route(patches, reject);
  await page.keyboard.type(' and second');
  await home(page).click();
  await toasts(page).getByText('“Plans” is not saved yet').waitFor();
  // What others save meanwhile stays.
  await send('PATCH', '', { content: 'zero, theirs\n\nfirst', tags: ['beds'] });
  await page.unroute(patches, reject);
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  await context.setOffline(false);
  const content = 'zero, theirs\n\nfirst and second';
  await expect.poll(stored).toMatchObject({ content, tags: ['beds'] });
});

test('a note opens at once while what a page has left of it waits for the service', async () => {
  await using visitor = await openPlans('impatient');
  const { page, context, send } = visitor;
  const asked = Promise.withResolvers<void>();
  let isSlow = false;
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/notes/'),
    async (route) => {
      const method = route.request().method();
      if (method === 'PATCH' && !isSlow) await route.abort();
      else if (method === 'GET' && isSlow) asked.resolve();
      else await route.fallback();
    },
  );
  await page.keyboard.type(' and second');
  await home(page).click();
  await toasts(page).getByText('“Plans” is not saved yet').waitFor();
  await send('PATCH', '', { tags: ['beds'] });
  isSlow = true;
  // Nor does a deadline end what waits.
  await page.evaluate('AbortSignal.timeout = () => new AbortController().signal');
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  await context.setOffline(false);
  await asked.promise;
  await page.goBack();
  await editor(page).getByText('first and second').waitFor();
});

test('what was typed is saved before one logs out, which is asked about when that fails', async () => {
  await using visitor = await openPlans('hasty-leaver');
  const { page, stored } = visitor;
  const patches = ({ pathname }: URL) => pathname.startsWith('/api/notes/');
  const reject = (route: Route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback();
  await page.route(patches, reject);
  await page.keyboard.type(' and second');
  await logOut(page);
  await page.getByText('The text is kept on this device').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await page.unroute(patches, reject);
  await logOut(page);
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  expect(await stored()).toMatchObject({ content: 'first and second' });
});

test('text of a deleted note is named when its page was left, and opened by its message', async () => {
  await using visitor = await openPlans('griever');
  const { page, send } = visitor;
  await send('DELETE');
  await page.getByText('This note was deleted').waitFor();
  await page.keyboard.type(' and second');
  await home(page).click();
  await toasts(page).getByRole('button', { name: '“Plans” is gone' }).click();
  await editor(page).getByText('first and second').waitFor();
  await button(page, 'Discard').click();
  await page.getByText('kept nowhere else').waitFor();
  await button(page, 'Cancel').click();
  await editor(page).getByText('first and second').waitFor();
  await button(page, 'Discard').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Garden', level: 1 }).waitFor();
});

test.each(['GET', 'DELETE'])(
  'a new note stays when it is opened again before the %s of its removal is answered',
  async (method) => {
    await using visitor = await openPlans(`returner-${method.toLowerCase()}`);
    const { page, person, workspaceId } = visitor;
    await page.goto(`/workspaces/${workspaceId}`);
    await button(page, 'New note').first().click();
    await editor(page).waitFor();
    const { pathname } = new URL(page.url());
    const held = Promise.withResolvers<void>();
    const returned = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === `/api${pathname}`,
      async (route) => {
        if (route.request().method() !== method) return route.fallback();
        held.resolve();
        await returned.promise;
        await route.fallback();
      },
    );
    await home(page).click();
    await held.promise;
    await page.goBack();
    returned.resolve();
    await editor(page).click();
    await page.keyboard.type('Not empty');
    const read = async () => (await callNotes(notes, person, 'GET', `/api${pathname}`)).body;
    await expect.poll(read).toMatchObject({ content: 'Not empty' });
  },
);

test('every note is named whose text a page has left, however many they are', async () => {
  const person = await createAccount('many-drafts');
  const titles = ['Asters', 'Beds', 'Cornflowers', 'Dahlias', 'Elder'];
  const notesMade = titles.map((title) => ({ title }));
  const [workspaceId = ''] = await createNotes(notes, person, 'Garden', notesMade);
  await using visitor = await openAs(person, `/workspaces/${workspaceId}`, 'Garden');
  const { page } = visitor;
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/notes/'),
    (route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback()),
  );
  for (const title of titles) {
    await page.getByRole('main').getByRole('link', { name: title }).click();
    await editor(page).click();
    await page.keyboard.type('Sow');
    await page.getByRole('main').getByText('kept on this device').waitFor();
    await page.goBack();
  }
  await page.goto('/account');
  for (const title of titles) {
    await toasts(page).getByText(`“${title}” is not saved yet`).waitFor();
  }
});

test('a note whose deletion was undone goes on where it was, with what was typed meanwhile', async () => {
  await using visitor = await openPlans('undoer');
  const { page, send, stored } = visitor;
  await send('DELETE');
  await page.getByText('This note was deleted').waitFor();
  await page.keyboard.type(' and second');
  await send('POST', '/restore');
  await saved(page);
  await page.getByRole('alert').waitFor({ state: 'detached' });
  expect(await stored()).toMatchObject({ content: 'first and second' });
  await send('PATCH', '', { content: 'theirs\n\nfirst and second' });
  await editor(page).getByText('theirs').waitFor();
});

test('a file is saved that takes longer than other answers may', async () => {
  await using visitor = await openPlans('downloader');
  const { page, person, workspaceId, send } = visitor;
  const uploaded = await fetch(
    `${notes}/api/workspaces/${workspaceId}/attachments?name=seeds.bin`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${person.accessToken}` },
      body: new Uint8Array(400_000).map((_, index) => (index * index) % 251),
    },
  );
  const { path } = (await uploaded.json()) as { path: string };
  await send('PATCH', '', { content: `[seeds.bin](${path})` });
  const link = editor(page).getByRole('link', { name: 'seeds.bin' });
  await link.waitFor();
  // 30 s are two of this page, in which half of the file arrives.
  await page.evaluate(`{
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 15);
  }`);
  await slowDown(page);
  const saving = page.waitForEvent('download');
  await link.click({ modifiers: ['ControlOrMeta'] });
  expect((await saving).suggestedFilename()).toBe('seeds.bin');
});
