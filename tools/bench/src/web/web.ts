import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { REPOSITORY_ROOT } from '@atrium/local-stack/process-table';
import { type Figures, median, quantile } from '../figures.ts';
import { type Bench, type Parts, runParts } from '../parts.ts';
import { type Targets, targetTable } from '../target-table.ts';
import { type Environment, openEnvironment, type Page } from './environment.ts';
import { measureTasks } from './tasks.ts';

const ASSETS = join(REPOSITORY_ROOT, 'services', 'web', 'dist', 'assets');
const VISITS = 5;
const KEYS = 150;
/** What comes late, such as a layout that still shifts, comes within it. */
const SETTLE_MS = 1_000;

const PAINT = 'LCP, ms';
const SHIFT = 'CLS';
const KEY = 'key to paint p95, ms';
const RATIO = 'of the bare text field';
const BARE = 'bare page';

const FAST = { [PAINT]: { atMost: 600 }, [SHIFT]: { atMost: 0.01 } };
const TARGETS: Targets = {
  scripts: { 'login, kB gzip': { atMost: 150 }, 'note above login, kB gzip': { atMost: 150 } },
  login: FAST,
  home: FAST,
  links: FAST,
  webhooks: FAST,
  note: { ...FAST, [PAINT]: { atMost: 800 } },
  // Both wait for the same frame: less than a twentieth is noise.
  typing: { [KEY]: {}, [RATIO]: { atMost: 1.05 } },
};

const OBSERVE = `
  globalThis.shown = { lcp: 0, cls: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) shown.lcp = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) shown.cls += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** A message that is posted in a frame arrives when the frame has been painted. */
const TIME_KEYS = `
  globalThis.keyTimes = [];
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => keyTimes.push(performance.now() - timeStamp);
    port2.postMessage(null);
  }), { capture: true });`;

/** The second visit and those after it: the scripts are cached, as for most visits of people. */
async function visit(page: Page, url: string): Promise<Figures> {
  await page.addInitScript(OBSERVE);
  const paints: number[] = [];
  let shift = 0;
  for (let visits = 0; visits <= VISITS; visits += 1) {
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForTimeout(SETTLE_MS);
    const { lcp, cls } = await page.evaluate<{ lcp: number; cls: number }>('shown');
    if (visits > 0) paints.push(lcp);
    shift = Math.max(shift, cls);
  }
  await page.close();
  return { [PAINT]: median(paints), [SHIFT]: shift };
}

async function typeIn(page: Page, url: string, field: string): Promise<number> {
  await page.goto(url);
  await page.locator(field).click();
  await page.waitForTimeout(SETTLE_MS);
  await page.evaluate(TIME_KEYS);
  for (let keys = 0; keys < KEYS; keys += 1) await page.keyboard.press('a', { delay: 30 });
  const times = await page.evaluate<number[]>('keyTimes');
  await page.close();
  return quantile(times, 0.95);
}

/** Names of the scripts that a page loads. */
async function scriptsOf(page: Page, url: string): Promise<Set<string>> {
  const names = new Set<string>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) names.add(basename(pathname));
  });
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  await page.close();
  return names;
}

async function kilobytes(names: Iterable<string>): Promise<number> {
  const sizes = [...names].map(async (name) => (await stat(join(ASSETS, `${name}.gz`))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
}

const prefixed = (figures: Figures) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${BARE}: ${name}`, value]));

export const WEB_PARTS: Parts<Environment> = {
  baselines: async ({ open, bareUrl }) => prefixed(await visit(await open('visitor'), bareUrl)),
  scripts: async ({ open, notePath }) => {
    const login = await scriptsOf(await open('visitor'), '/login');
    const note = await scriptsOf(await open(), notePath);
    return {
      'login, kB gzip': await kilobytes(login),
      'note above login, kB gzip': await kilobytes([...note].filter((name) => !login.has(name))),
    };
  },
  login: async ({ open }) => visit(await open('visitor'), '/login'),
  home: async ({ open }) => visit(await open(), '/'),
  links: async ({ open }) => visit(await open(), '/links'),
  webhooks: async ({ open }) => visit(await open(), '/webhooks'),
  note: async ({ open, notePath }) => visit(await open(), notePath),
  typing: async ({ open, notePath, bareUrl }) => {
    const bare = await typeIn(await open('visitor'), bareUrl, 'textarea');
    const ours = await typeIn(await open(), notePath, '[contenteditable=true][aria-label=Note]');
    return { ...prefixed({ [KEY]: bare }), [KEY]: ours, [RATIO]: ours / bare };
  },
  tasks: measureTasks,
};

/** Measures what people wait for, in a real browser. Ends with a table of what is promised, beside a bare page. */
export const benchWeb: Bench = async (runs, only, keep) => {
  const medians = await runParts(WEB_PARTS, { runs, only, keep, open: openEnvironment });
  process.stdout.write(`\nmedians of ${runs} runs\n${targetTable(medians, TARGETS, [BARE])}\n`);
};
