import type { Platform } from '@atrium/local-stack/platform';
import type { launchBrowser } from '@atrium/testkit/browser';
import { type Figures, quantile } from '../figures.ts';
import { createAccount, createNotes, logIn } from './account.ts';
import { SCRIPT, visit } from './visit.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Names of figures. */
export const MORE_THAN_LOGIN = 'script more than login, KB gzip';
export const KEY_TO_PAINT = 'key to paint, p95, ms';

const CPU_SLOWDOWN = 4;
const KEYS = 200;
const KEY_EVERY_MS = 50;
const NOTE_BYTES = 50_000;
/** Those in view and half a screen before and after. */
const RENDERED_LINES = 80;
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

/** What the browser takes by itself, without any script: a page adds to that. */
const WITHOUT_SCRIPT: Record<string, (content: string) => string> = {
  'text field': (content) => `<textarea rows="25" aria-label="Note">${content}</textarea>`,
  'editable lines': (content) => {
    const lines = content.split('\n').slice(-RENDERED_LINES);
    const blocks = lines.map((line) => `<div>${line === '' ? '<br>' : line}</div>`);
    return `<div contenteditable role="textbox" aria-label="Note">${blocks.join('')}</div>`;
  },
};
export const EDITOR_BASELINES = Object.keys(WITHOUT_SCRIPT);

/**
 * What the editor loads, beside the login page, and how long a key takes until it is painted in a note of
 * 50 KB on a slow processor, beside a text field with the same note and the lines that an editor renders.
 */
export async function measureEditor(platform: Platform, browser: Browser): Promise<Figures> {
  const { web } = platform.urls;
  const account = await createAccount(platform);
  const content = PARAGRAPH.repeat(Math.ceil(NOTE_BYTES / PARAGRAPH.length)).slice(0, NOTE_BYTES);
  const { noteIds } = await createNotes(platform, account, [content]);
  const url = `${web}/notes/${noteIds[0] ?? ''}`;
  const login = await visit(browser, `${web}/login`);
  const storageState = await logIn(browser, web, account);
  const editor = await visit(browser, url, { storageState });
  const [loginKb = 0, editorKb = 0] = [login, editor].map((figures) => figures[SCRIPT]);
  const figures: Figures = { [MORE_THAN_LOGIN]: editorKb - loginKb };
  await using context = await browser.newContext({
    locale: 'en',
    storageState: await logIn(browser, web, account),
  });
  const page = await context.newPage();
  await page.goto(url);
  Object.assign(figures, await typeSlowly(page, ''));
  for (const [name, html] of Object.entries(WITHOUT_SCRIPT)) {
    const plain = await context.newPage();
    await plain.setContent(`<body style="font: 16px/1.6 sans-serif">${html(content)}`);
    Object.assign(figures, await typeSlowly(plain, `${name}: `));
  }
  return figures;
}

async function typeSlowly(page: Page, prefix: string): Promise<Figures> {
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.press('Control+End');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.evaluate(WATCH_KEYS);
  await page.keyboard.type('words '.repeat(KEYS).slice(0, KEYS), { delay: KEY_EVERY_MS });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const times = await page.evaluate<number[]>('window.keyTimes');
  return {
    [`${prefix}key to paint, p50, ms`]: quantile(times, 0.5),
    [`${prefix}${KEY_TO_PAINT}`]: quantile(times, 0.95),
  };
}
