import type { launchBrowser } from '@atrium/testkit/browser';
import type { Figures } from '../figures.ts';
import type { logIn } from './account.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

/** Names of figures. */
export const SCRIPT = 'script, KB gzip';
export const LCP = 'LCP, ms';
export const CLS = 'CLS';

/** Time for the browser to report its last paint and shift after the page is there. */
const SETTLE_MS = 1_000;

/** The largest paint so far in ms, and the sum of all layout shifts. */
const PAINTS = `new Promise((resolve) => {
  let lcp = 0, cls = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) lcp = entry.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) cls += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve({ lcp, cls }), ${SETTLE_MS});
})`;

/** A visit with an empty cache: what the page loads and how soon it is there. */
export async function visit(
  browser: Browser,
  url: string,
  {
    locale = 'en',
    storageState = { cookies: [], origins: [] },
  }: {
    locale?: string;
    /** Of a login. */
    storageState?: Awaited<ReturnType<typeof logIn>>;
  } = {},
): Promise<Figures> {
  await using context = await browser.newContext({ locale, storageState });
  const page = await context.newPage();
  const files = new Set<string>();
  page.on('response', (response) => files.add(response.url()));
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { lcp, cls } = await page.evaluate<{ lcp: number; cls: number }>(PAINTS);
  return {
    [SCRIPT]: await gzipKilobytes(files, '.js'),
    'styles, KB gzip': await gzipKilobytes(files, '.css'),
    [LCP]: lcp,
    [CLS]: cls,
  };
}

async function gzipKilobytes(urls: ReadonlySet<string>, extension: string): Promise<number> {
  let sum = 0;
  for (const url of urls) {
    if (!url.endsWith(extension)) continue;
    const response = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    sum += Number(response.headers.get('content-length'));
  }
  return sum / 1000;
}
