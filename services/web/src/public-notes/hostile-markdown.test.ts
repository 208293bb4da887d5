import { launchBrowser } from '@atrium/testkit/browser';
import { HOSTILE_MARKDOWN } from '@atrium/testkit/hostile-markdown';
import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { renderNote } from './rendered-note.ts';

/** Everything that an element of a note has, with URLs as the browser understands them. */
const PARTS = `[...document.querySelectorAll('section *')].flatMap((element) =>
  element.getAttributeNames().map((name) =>
    name === 'href' ? 'href=' + element.protocol : element.localName + '.' + name))`;
const ALLOWED_PARTS = (
  'a.rel a.title div.class div.tabindex input.type input.disabled input.checked li.class th.class td.class ' +
  'href=http: href=https: href=mailto:'
).split(' ');

test('makes 200 hostile notes harmless without the help of a policy', async () => {
  expect(new Set(HOSTILE_MARKDOWN).size).toBe(200);
  const sections = HOSTILE_MARKDOWN.map((content) => {
    const { html, description } = renderNote({ content, attachmentsAt: '/s/token/attachments/' });
    return `<section title="${description.replaceAll('"', '&quot;')}">${html}</section>`;
  });
  await using server = await listen((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><link rel="icon" href="data:,"><body>${sections.join('')}`);
  });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const happened: string[] = [];
    page.on('dialog', (dialog) => {
      happened.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => happened.push(request.url()));
    await page.goto(server.url);
    // Parsed again, as a mutation of the tree would need it.
    await page.evaluate('void (document.body.innerHTML = document.body.innerHTML)');
    await page.waitForLoadState('networkidle');
    expect(happened).toEqual([`${server.url}/`]);
    expect(await page.locator('body > section').count()).toBe(HOSTILE_MARKDOWN.length);
    const parts = new Set(await page.evaluate<string[]>(PARTS));
    expect([...parts].filter((part) => !ALLOWED_PARTS.includes(part))).toEqual([]);
  } finally {
    await browser.close();
  }
});
