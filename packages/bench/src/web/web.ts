import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@atrium/local-stack/platform';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { launchBrowser } from '@atrium/testkit/browser';
import type { Figures } from '../figures.ts';
import { runParts } from '../parts.ts';
import { measureFilters } from './deliveries.ts';

interface Environment extends AsyncDisposable {
  platform: Platform;
  webUrl: string;
  browser: Awaited<ReturnType<typeof launchBrowser>>;
}

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

/**
 * Measures what a first visit of a page costs (script, styles, largest contentful paint, layout shift) and
 * how fast the filters of deliveries answer.
 */
export function benchWeb(runs: number, only: string[]): Promise<Record<string, Figures>> {
  const parts = {
    login: (environment: Environment) => visit(environment, '/login'),
    signup: (environment: Environment) => visit(environment, '/signup'),
    start: (environment: Environment) => visit(environment, '/'),
    deliveries: ({ platform }: Environment) => measureFilters(platform),
  };
  return runParts(parts, { runs, only, open: openEnvironment });
}

async function openEnvironment(): Promise<Environment> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const platform = started.use(
    await startPlatform({
      env: { PATH: process.env['PATH'] },
      portBase: await findFreePortBase(),
      dataDir,
      logs: () => undefined,
    }),
  );
  const browser = started.use(await launchBrowser());
  const stack = started.move();
  return {
    platform,
    webUrl: platform.urls.web,
    browser,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A visit with an empty cache. */
async function visit({ webUrl, browser }: Environment, path: string): Promise<Figures> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  const files = new Set<string>();
  page.on('response', (response) => files.add(response.url()));
  await page.goto(webUrl + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { lcp, cls } = await page.evaluate<{ lcp: number; cls: number }>(PAINTS);
  return {
    'script, KB gzip': await gzipKilobytes([...files].filter((url) => url.endsWith('.js'))),
    'styles, KB gzip': await gzipKilobytes([...files].filter((url) => url.endsWith('.css'))),
    'LCP, ms': lcp,
    CLS: cls,
  };
}

async function gzipKilobytes(urls: string[]): Promise<number> {
  const sizes = urls.map(async (url) => {
    const response = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    return Number(response.headers.get('content-length'));
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
}
