import { launchBrowser } from '@atrium/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson } from '../accounts.ts';
import { type Atrium, startAtrium } from '../atrium.ts';
import { call, text } from '../client.ts';
import { look } from './look.ts';
import { openVisitor } from './visitor.ts';

let atrium: Atrium;
let browser: Browser;
beforeAll(async () => {
  [atrium, browser] = await Promise.all([startAtrium(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await atrium[Symbol.asyncDispose]();
});

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
  const person = await createPerson(atrium.urls.auth, atrium.mailbox, 'gardener');
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

  await using visitor = await openVisitor(browser, atrium.urls.web);
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
  await look(page, 'public-note');
  await expectNoPaperWasted(page);

  await send('DELETE', sharePath);
  await page.reload();
  await page.getByRole('heading', { name: 'This note is not public' }).waitFor();
  await look(page, 'public-note-withdrawn');
  await page.goto(url.slice(0, -4));
  await page.getByRole('heading', { name: 'Note not found' }).waitFor();
  visitor.expectNoFaults();
});

/** Print leaves out what leads elsewhere, and writes out where links lead. */
async function expectNoPaperWasted(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  const afterLink = "getComputedStyle(document.querySelector('article a'), '::after').content";
  expect(await page.evaluate(afterLink)).toContain('(');
  await page.emulateMedia({ media: 'screen' });
}
