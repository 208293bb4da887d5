import type { Platform } from '@atrium/local-stack/platform';
import type { launchBrowser } from '@atrium/testkit/browser';
import { type Figures, quantile } from '../figures.ts';
import { createAccount, createNotes, logIn } from './account.ts';
import { SCRIPT, visit } from './visit.ts';

/** Names of figures. */
export const MORE_THAN_LOGIN = 'script more than login, KB gzip';
export const KEY_TO_PAINT = 'key to paint, p95, ms';

const CPU_SLOWDOWN = 4;
const KEYS = 200;
const KEY_EVERY_MS = 50;
const NOTE_BYTES = 50_000;
const PARAGRAPH =
  '## Heading\n\nSome **bold** text with a [link](https://example.com).\n\n- [ ] a task\n\n';

/**
 * Sums up, for each key, the time until its handlers are done and the time that its frame takes to be
 * painted. The wait for the next frame of the display lies between the two and is not counted.
 */
const WATCH_KEYS = `(() => {
  window.keyTimes = [];
  const after = (done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  };
  addEventListener('keydown', ({ timeStamp }) => {
    let handled = 0;
    after(() => (handled = performance.now() - timeStamp));
    requestAnimationFrame((frameStart) => {
      const start = Math.max(frameStart, performance.now());
      after(() => window.keyTimes.push(handled + performance.now() - start));
    });
  }, true);
})()`;

/**
 * What the editor loads, beside the login page, and how long a key takes until it is painted in a note of
 * 50 KB on a slow processor.
 */
export async function measureEditor(
  platform: Platform,
  browser: Awaited<ReturnType<typeof launchBrowser>>,
): Promise<Figures> {
  const { web } = platform.urls;
  const account = await createAccount(platform);
  const content = PARAGRAPH.repeat(Math.ceil(NOTE_BYTES / PARAGRAPH.length)).slice(0, NOTE_BYTES);
  const { noteIds } = await createNotes(platform, account, [content]);
  const url = `${web}/notes/${noteIds[0] ?? ''}`;
  const login = await visit(browser, `${web}/login`);
  const storageState = await logIn(browser, web, account);
  const editor = await visit(browser, url, { storageState });
  const [loginKb = 0, editorKb = 0] = [login, editor].map((figures) => figures[SCRIPT]);
  return {
    [MORE_THAN_LOGIN]: editorKb - loginKb,
    ...(await typeSlowly(browser, url, await logIn(browser, web, account))),
  };
}

async function typeSlowly(
  browser: Awaited<ReturnType<typeof launchBrowser>>,
  url: string,
  storageState: Awaited<ReturnType<typeof logIn>>,
): Promise<Figures> {
  await using context = await browser.newContext({ locale: 'en', storageState });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.press('Control+End');
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.evaluate(WATCH_KEYS);
  await page.keyboard.type('words '.repeat(KEYS).slice(0, KEYS), { delay: KEY_EVERY_MS });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const times = await page.evaluate<number[]>('window.keyTimes');
  return {
    'key to paint, p50, ms': quantile(times, 0.5),
    [KEY_TO_PAINT]: quantile(times, 0.95),
  };
}
