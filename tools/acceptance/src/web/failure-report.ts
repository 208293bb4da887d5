import type { Browser, BrowserContext } from 'playwright-core';
import { beforeEach } from 'vitest';
import type { Atrium } from '../atrium.ts';
import type { Visitor } from './visitor.ts';

const SNAPSHOT_TIMEOUT_MS = 5000;
const LOG_LINES_MAX = 20;
const TIME = /"time":"([^"]+)"/;
const COMPLAINT = /"level":"(warn|error|fatal)"|"status":5\d\d/;

/**
 * Has a failed test also report what its pages showed at the end and what the services complained of:
 * "the button did not appear" does not say why.
 *
 * @returns watches a visitor, whose pages are gone when the failure is known
 */
export function reportFailures(browser: Browser, { logLines }: Atrium) {
  let pages: string[] = [];
  beforeEach(({ onTestFailed }) => {
    // A test that times out goes on beside the next one.
    const own: string[] = [];
    pages = own;
    const start = new Date().toISOString();
    onTestFailed(async () => {
      // Contexts that are still open, such as that of a visitor who could not log in.
      for (const context of browser.contexts()) own.push(...(await describePages(context)));
      const complaints = (await logLines()).filter(
        (line) => COMPLAINT.test(line) && (TIME.exec(line)?.[1] ?? '') >= start,
      );
      throw new Error(
        ['At the end of the test:', ...own, ...complaints.slice(-LOG_LINES_MAX)].join('\n'),
      );
    });
  });
  return async (opening: Promise<Visitor>): Promise<Visitor> => {
    const own = pages;
    const visitor = await opening;
    return {
      ...visitor,
      [Symbol.asyncDispose]: async () => {
        own.push(...(await describePages(visitor.context)));
        await visitor[Symbol.asyncDispose]();
      },
    };
  };
}

/** The address and the accessibility tree of each page. */
function describePages(context: BrowserContext): Promise<string[]> {
  return Promise.all(
    context.pages().map(async (page) => {
      // When a page has crashed, the reason is all that can be said.
      const tree = page.locator('body').ariaSnapshot({ timeout: SNAPSHOT_TIMEOUT_MS });
      return `${page.url()}\n${await tree.catch(String)}`;
    }),
  );
}
