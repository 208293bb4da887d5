import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Page,
} from 'playwright-core';
import { expect } from 'vitest';

export interface Visitor extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Expects that the page logged nothing but refused requests, which it has told the person about. */
  expectNoFaults(): void;
}

const WIDE = { width: 1280, height: 800 };
/** Has no pointer that hovers. */
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const STEP_TIMEOUT_MS = 30_000;

/**
 * A person with a browser of their own: no cookies, no storage.
 * @param options.signedInAt the address of auth, whose cookies the browser is about to have
 */
export async function openVisitor(
  browser: Browser,
  webUrl: string,
  {
    locale = 'en-GB',
    device = { viewport: WIDE },
    signedInAt,
  }: {
    locale?: string | undefined;
    device?: BrowserContextOptions | undefined;
    signedInAt?: string;
  } = {},
): Promise<Visitor> {
  // What the client keeps, so that visitors do not ask for a session.
  const localStorage = [{ name: `atrium ${signedInAt}`, value: 'signed in' }];
  const origins = signedInAt === undefined ? [] : [{ origin: webUrl, localStorage }];
  const context = await browser.newContext({
    baseURL: webUrl,
    locale,
    ...device,
    storageState: { cookies: [], origins },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const faults: string[] = [];
  context.on('console', (message) => {
    if (isFault(message)) faults.push(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (event) => faults.push(String(event.error())));
  return {
    context,
    page: await context.newPage(),
    expectNoFaults: () => expect(faults).toEqual([]),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

function isFault(message: ConsoleMessage): boolean {
  if (!['error', 'warning'].includes(message.type())) return false;
  // The browser itself reports every 4xx, also one that the page handles.
  return !/^Failed to load resource: .* status of 4\d\d/.test(message.text());
}
