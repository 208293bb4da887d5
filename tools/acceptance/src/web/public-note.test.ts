import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, text } from '../client.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const CONTENT = `# Before the frost

Plant **tulips**, *crocuses* and ~~roses~~ by [the book](https://example.com/bulbs), see also
https://example.com/a-long-address/that-does-not-fit-on-a-phone/without-a-break-somewhere-in-between.

- [x] Order bulbs
- [ ] Dig the beds
  1. Behind the house
  2. Along \`path-7\`

> The best time to plant was last week.

| Bed | Bulbs | Depth in centimetres | Distance in centimetres | Remarks of the gardener |
|-----|------:|:--------------------:|-------------------------|-------------------------|
| A   |    40 |          12          | 10                      | In full sun only        |
| B   |   120 |           8          | 5                       | Under the pear tree     |

\`\`\`js
const beds = plan.beds.filter((bed) => bed.isSunny).map((bed) => ({ ...bed, bulbs: bed.area * 9 }));
\`\`\`

---

![Last year's bed](https://example.com/bed.jpg)`;

test('a public note is read signed out, without script, until its owner stops sharing it', async () => {
  const person = await createAccount('gardener');
  const { accessToken: token } = person;
  const { notes } = atrium.urls;
  const send = async (method: string, path: string, body?: object) =>
    (await call(method, `${notes}${path}`, { token, body })).body;
  const workspace = await send('POST', '/api/workspaces', { name: 'Garden' });
  const note = await send('POST', `/api/workspaces/${text(workspace, 'id')}/notes`, {
    title: 'Plans for autumn, and what is left of summer',
    content: CONTENT,
    tags: ['garden', 'autumn'],
  });
  const sharePath = `/api/notes/${text(note, 'id')}/share`;
  const url = text(await send('POST', sharePath), 'url');
  expect(url).toContain(`${atrium.urls.web}/s/`);

  await using visitor = await visit();
  const { page } = visitor;
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(url);
  await page.getByRole('heading', { name: 'Plans for autumn', level: 1 }).waitFor();
  await page.getByRole('heading', { name: 'Before the frost', level: 2 }).waitFor();
  await page.getByRole('link', { name: "Last year's bed" }).waitFor();
  expect(requested.filter((path) => !path.startsWith('/assets/icon-'))).toEqual([
    new URL(url).pathname,
  ]);
  await expectAccessible(page, 'public-note');
  await expectNoPaperWasted(page);

  await send('DELETE', sharePath);
  await page.reload();
  await page.getByRole('heading', { name: 'This note is not public' }).waitFor();
  await expectAccessible(page, 'public-note-withdrawn');
  await page.goto(url.slice(0, -4));
  await page.getByRole('heading', { name: 'Note not found' }).waitFor();
  visitor.expectNoFaults();
});

test('a note stays private while what is on its page cannot be saved', async () => {
  const person = await createAccount('drafter');
  const { accessToken: token } = person;
  const { notes } = atrium.urls;
  const send = async (method: string, path: string, body?: object) =>
    (await call(method, `${notes}${path}`, { token, body })).body;
  const workspace = await send('POST', '/api/workspaces', { name: 'Garden' });
  const id = text(
    await send('POST', `/api/workspaces/${text(workspace, 'id')}/notes`, {
      title: 'Price list',
      content: 'Tulips: 4',
    }),
    'id',
  );
  await using visitor = await openAs(person, `/notes/${id}`, 'Price list');
  const { page } = visitor;
  await page.route(/\/api\/notes\/note_\w+$/, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.getByRole('textbox', { name: 'Note' }).fill('Tulips: 5');
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create public link' }).click();
  await dialog.getByText('The note is still private').waitFor();
  expect(await send('GET', `/api/notes/${id}`)).toMatchObject({ sharedUrl: null });
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Create public link' }).click();
  await dialog.getByLabel('Public link').waitFor();
  expect(await send('GET', `/api/notes/${id}`)).toMatchObject({ content: 'Tulips: 5' });
});

test('a note is shared with a password and two views, and shows its image to who opens it', async () => {
  const person = await createAccount('keeper');
  const { accessToken: token } = person;
  const { notes } = atrium.urls;
  const send = async (method: string, path: string, body?: object) =>
    (await call(method, `${notes}${path}`, { token, body })).body;
  const workspace = `/api/workspaces/${text(await send('POST', '/api/workspaces', { name: 'Garden' }), 'id')}`;
  const uploaded = await fetch(`${notes}${workspace}/attachments?name=bed.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: PNG,
  });
  const { path } = (await uploaded.json()) as { path: string };
  const note = await send('POST', `${workspace}/notes`, {
    title: 'Kept between us',
    content: `Behind the shed.\n\n![The bed](${path})`,
  });

  const notePath = `/notes/${text(note, 'id')}`;
  const heading = 'Kept between us';
  await using owner = await openAs(person, notePath, heading);
  const dialog = owner.page.getByRole('dialog');
  await owner.page.getByRole('button', { name: 'Share' }).click();
  await dialog.getByRole('button', { name: 'Create public link' }).click();
  const url = await dialog.getByLabel('Public link').inputValue();
  await dialog.getByRole('button', { name: 'Copy as' }).click();
  await owner.page.getByRole('menuitem', { name: 'Copy as client code' }).click();
  const copied = await owner.page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(`const { url } = await atrium.notes.shareNote('${text(note, 'id')}');`);
  await dialog.getByLabel('Ask for a password').check();
  await dialog.getByLabel('How often it can be opened').fill('none');
  await dialog.getByRole('button', { name: 'Save restrictions' }).click();
  await dialog.getByText('Enter a number').waitFor();
  await expectAccessible(owner.page, 'share-settings-errors');
  await dialog.getByLabel('New password').fill('a lantern in the fog');
  await dialog.getByLabel('How often it can be opened').fill('2');
  await dialog.getByRole('button', { name: 'Save restrictions' }).click();
  await dialog.getByText('its password can read the note').waitFor();
  await expectAccessible(owner.page, 'share-settings');

  await using visitor = await visit();
  const { page } = visitor;
  await page.goto(url);
  await page.getByRole('heading', { name: 'This note is protected' }).waitFor();
  await page.getByLabel('Password').fill('a lantern in the dark');
  await page.keyboard.press('Enter');
  await page.getByText('This password is wrong.').waitFor();
  expect(await page.content()).not.toContain(heading);
  await expectAccessible(page, 'public-note-password');
  await page.getByLabel('Password').fill('a lantern in the fog');
  await page.getByRole('button', { name: 'Open note' }).click();
  await page.getByRole('heading', { name: heading }).waitFor();
  await page.getByRole('img', { name: 'The bed' }).waitFor();
  const width =
    "document.querySelector('article img').decode().then(() => document.images[1].naturalWidth)";
  expect(await page.evaluate(width)).toBe(1);
  await page.reload();
  await page.getByRole('heading', { name: heading }).waitFor();

  const limited = { password: null, maxViews: 2 };
  await send('PATCH', `/api${notePath}/share`, limited);
  await page.reload();
  await page.getByText('This is the last time.').waitFor();
  await expectAccessible(page, 'public-note-limited');
  await page.getByRole('button', { name: 'Open note' }).click();
  await page.getByRole('heading', { name: heading }).waitFor();
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole('heading', { name: 'This link has been used up' }).waitFor();
  await expectAccessible(page, 'public-note-used-up');
  await owner.page.reload();
  await owner.page.getByRole('button', { name: 'Share' }).click();
  await dialog.getByText('Set another number to open it again. Opened').waitFor();
  owner.expectNoFaults();
});

/** Print leaves out what leads elsewhere, and writes out where links lead. */
async function expectNoPaperWasted(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  const afterLink = "getComputedStyle(document.querySelector('article a'), '::after').content";
  expect(await page.evaluate(afterLink)).toContain('(');
  await page.emulateMedia({ media: 'screen' });
}
