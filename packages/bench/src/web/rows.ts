import type { Platform } from '@atrium/local-stack/platform';
import type { launchBrowser } from '@atrium/testkit/browser';
import { type Figures, quantile } from '../figures.ts';
import { createAccount, logIn } from './account.ts';
import { LONG_LISTS, ROWS } from './long-lists.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Names of figures. */
const SCROLLING = 'frame of scrolling, p95, ms';
export const SCROLLING_RATIO = 'frame of scrolling, p95, ratio';
export const LONG_TASKS = 'tasks over 50 ms';
export const FULL_SPEED = 'at full speed';

/** The baseline: rows without script, of the same height and text. */
export const PLAIN_ROWS = 'plain rows';

const CPU_SLOWDOWN = 4;
const FRAMES = 100;
/** About two rows a frame. */
const STEP_PX = 120;

/** Scrolls to the end until all pages are loaded. */
const LOAD_ALL = `(async () => {
  const isLoaded = () => document.querySelector('li[aria-setsize="${ROWS}"]') !== null;
  for (let frame = 0; frame < ${ROWS} && !isLoaded(); frame += 1) {
    scrollTo(0, document.documentElement.scrollHeight);
    await new Promise(requestAnimationFrame);
  }
  return isLoaded();
})()`;

/** Times each frame while the page is scrolled with a wheel, and while its scrollbar is dragged about. */
const SCROLL = `(async () => {
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => { longTasks += list.getEntries().length; });
  observer.observe({ type: 'longtask' });
  const nextFrame = () => new Promise(requestAnimationFrame);
  async function timeFrames(move) {
    const times = [];
    let last = await nextFrame();
    for (let frame = 0; frame < ${FRAMES}; frame += 1) {
      move(frame);
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
    return times;
  }
  scrollTo(0, 0);
  const scrolling = await timeFrames(() => scrollBy(0, ${STEP_PX}));
  const end = document.documentElement.scrollHeight - innerHeight;
  const dragging = await timeFrames((frame) => scrollTo(0, ((frame * 0.618) % 1) * end));
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  return { scrolling, dragging, longTasks };
})()`;

/** How smooth a list of `ROWS` rows is on a slow processor, beside as many plain rows. */
export async function measureRows(
  { platform, browser }: { platform: Platform; browser: Browser },
  list: keyof typeof LONG_LISTS,
): Promise<Figures> {
  const { web } = platform.urls;
  const account = await createAccount(platform);
  const path = await LONG_LISTS[list](platform, account);
  const storageState = await logIn(browser, web, account);
  await using context = await browser.newContext({ locale: 'en', storageState });
  const page = await context.newPage();
  await page.goto(`${web}${path}`);
  await page.locator('li[aria-setsize]').first().waitFor();
  if (!(await page.evaluate(LOAD_ALL))) throw new Error(`${path} shows fewer than ${ROWS} rows`);
  const figures = await scroll(page);
  const baseline = await context.newPage();
  await baseline.setContent(await plainRows(page));
  const plain = await scroll(baseline);
  return {
    ...figures,
    ...Object.fromEntries(
      Object.entries(plain).map(([name, value]) => [`${PLAIN_ROWS}: ${name}`, value]),
    ),
    [SCROLLING_RATIO]: (figures[SCROLLING] ?? 0) / (plain[SCROLLING] ?? 0),
  };
}

interface Scrolled {
  scrolling: number[];
  dragging: number[];
  longTasks: number;
}

async function scroll(page: Page): Promise<Figures> {
  const session = await page.context().newCDPSession(page);
  const atFullSpeed = await page.evaluate<Scrolled>(SCROLL);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const { scrolling, dragging, longTasks } = await page.evaluate<Scrolled>(SCROLL);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return {
    [SCROLLING]: quantile(scrolling, 0.95),
    'frame of scrolling, longest, ms': Math.max(...scrolling),
    'frame of dragging, p95, ms': quantile(dragging, 0.95),
    'frame of dragging, longest, ms': Math.max(...dragging),
    [LONG_TASKS]: longTasks,
    [`${LONG_TASKS}, ${FULL_SPEED}`]: atFullSpeed.longTasks,
  };
}

/** A page with the text of the rows in view, repeated. */
async function plainRows(page: Page): Promise<string> {
  const rows = page.locator('li[aria-setsize]');
  const texts = await rows.allInnerTexts();
  const height = (await rows.first().boundingBox())?.height ?? 0;
  const items = Array.from({ length: ROWS }, (_, index) => `<li>${texts[index % texts.length]}`);
  return `<!doctype html><title>Plain rows</title><style>
li { height: ${height}px; white-space: pre-line; contain: strict; }
</style><ul>${items.join('\n')}</ul>`;
}
