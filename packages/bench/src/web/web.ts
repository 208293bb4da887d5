import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@atrium/local-stack/platform';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { launchBrowser } from '@atrium/testkit/browser';
import type { Figures } from '../figures.ts';
import { runParts } from '../parts.ts';
import { measureFilters } from './deliveries.ts';
import { measureEditor } from './editor.ts';
import { type EmptyPage, serveEmptyPage } from './empty-page.ts';
import { type Target, visit } from './visit.ts';

interface Environment extends AsyncDisposable {
  platform: Platform;
  webUrl: string;
  empty: EmptyPage;
  browser: Awaited<ReturnType<typeof launchBrowser>>;
}

const LOGIN: Target = { scriptKb: 150, lcpMs: 600 };

/**
 * Measures what a first visit of a page costs (script, styles, largest contentful paint, layout shift)
 * beside an empty page, how fast the editor shows a key, and how fast the filters of deliveries answer.
 */
export function benchWeb(runs: number, only: string[]): Promise<Record<string, Figures>> {
  const parts = {
    yardsticks: ({ browser, empty }: Environment) => visit(browser, empty.url),
    login: ({ browser, webUrl }: Environment) =>
      visit(browser, `${webUrl}/login`, { target: LOGIN }),
    'login-in-german': ({ browser, webUrl }: Environment) =>
      visit(browser, `${webUrl}/login`, { target: LOGIN, locale: 'de' }),
    signup: ({ browser, webUrl }: Environment) => visit(browser, `${webUrl}/signup`),
    start: ({ browser, webUrl }: Environment) => visit(browser, webUrl),
    editor: ({ platform, browser }: Environment) => measureEditor(platform, browser),
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
  const empty = started.use(await serveEmptyPage());
  const stack = started.move();
  return {
    platform,
    webUrl: platform.urls.web,
    browser,
    empty,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
