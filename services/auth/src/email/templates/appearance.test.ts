import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@atrium/testkit/browser';
import { afterAll, expect, test } from 'vitest';
import { sampleEmails } from './samples.ts';
import { createEmailTemplates } from './templates.ts';

/** A screenshot of each message, to look at. */
const DIRECTORY = fileURLToPath(
  new URL('../../../../../node_modules/.cache/email-screenshots', import.meta.url),
);
await mkdir(DIRECTORY, { recursive: true });

const browser = await launchBrowser();
afterAll(() => browser.close());

const templates = createEmailTemplates('https://web.example');

test.each([
  ['en', 'light', 680],
  ['en', 'dark', 390],
  ['de', 'light', 390],
  ['de', 'dark', 680],
] as const)('fit %s, %s, %i px wide, and load nothing', async (language, colorScheme, width) => {
  const viewport = { width, height: 700 };
  const page = await browser.newPage({ colorScheme, viewport });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  for (const [name, { html }] of Object.entries(sampleEmails(templates, language))) {
    await page.setContent(html);
    const path = `${DIRECTORY}/${name}.${language}.${colorScheme}.${width}.png`;
    await page.screenshot({ path, fullPage: true });
    // As text, because the types of this project have no DOM.
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect([name, overflow]).toEqual([name, 0]);
  }
  expect(requests).toEqual([]);
  await page.close();
});
