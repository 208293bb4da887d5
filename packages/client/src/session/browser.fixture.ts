import { launchBrowser } from '@atrium/testkit/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bundle } from '../bundle.fixture.ts';
import { startTestPlatform, type TestPlatform } from './platform.fixture.ts';

export interface TestBrowser extends AsyncDisposable {
  platform: TestPlatform;
  browser: Browser;
  context: BrowserContext;
  /** Another tab of the same browser. */
  openTab: (path?: string) => Promise<Page>;
}

/** A real browser on a page with a client, which has its session from a test platform. */
export async function startTestBrowser(): Promise<TestBrowser> {
  await using stack = new AsyncDisposableStack();
  const platform = stack.use(await startTestPlatform());
  const script = await bundle('session/page.fixture.ts');
  platform.files.set('/page.js', { type: 'text/javascript', body: script });
  const html = '<!doctype html><title>Client</title><script type="module" src="/page.js"></script>';
  platform.files.set('/', { type: 'text/html', body: html });
  const browser = stack.use(await launchBrowser());
  const context = await browser.newContext();
  const openTab = async (path = '/') => {
    const page = await context.newPage();
    await page.goto(`${platform.url}${path}`);
    await page.waitForFunction(() => 'states' in window);
    return page;
  };
  const kept = stack.move();
  return { platform, browser, context, openTab, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
