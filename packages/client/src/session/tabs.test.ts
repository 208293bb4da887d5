import type { Page } from 'playwright-core';
import { beforeEach, afterAll, describe, expect, test } from 'vitest';
import { startTestBrowser } from './browser.fixture.ts';
import type { PageWindow } from './page.fixture.ts';

declare const window: PageWindow;

const { platform, context, openTab, ...started } = await startTestBrowser();
afterAll(() => started[Symbol.asyncDispose]());
const { settings, refreshes } = platform;

beforeEach(async () => {
  for (const page of context.pages()) await page.close();
  await context.clearCookies();
  Object.assign(settings, { ttlSeconds: 900, clockAheadSeconds: 0, fault: () => undefined });
  refreshes.length = 0;
  platform.calls.length = 0;
});

function logIn(page: Page, username: string): Promise<void> {
  return page.evaluate(async (email) => {
    await window.atrium.auth.logIn({ email, password: 'secret' });
  }, `${username}@example.com`);
}

/** Tabs of one session. What they have asked for until then is not counted. */
async function openTabs(count: number, username = 'ada'): Promise<[Page, Page, ...Page[]]> {
  const [first, ...others] = [await openTab(), await openTab()];
  for (let n = 2; n < count; n += 1) others.push(await openTab());
  const tabs: [Page, Page, ...Page[]] = [first, others[0] ?? first, ...others.slice(1)];
  await Promise.all(tabs.map((tab) => expectUser(tab, null)));
  await logIn(first, username);
  await Promise.all(tabs.map((tab) => expectUser(tab, username)));
  refreshes.length = 0;
  return tabs;
}

/** Resolves when the session of the page is this user's, or nobody's. */
async function expectUser(page: Page, username: string | null): Promise<void> {
  const isSo = (name: string | null) => {
    const { user, isInitializing } = window.atrium.session.getState();
    return !isInitializing && (user?.username ?? null) === name;
  };
  await page.waitForFunction(isSo, username);
}

/** The account whose token the call carried. */
function call(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    window.atrium.notes
      .getWorkspace('ws_1')
      .then((body) => (body as unknown as { account: string }).account)
      .catch((error: unknown) => `${(error as Error).message}`),
  );
}

const states = (page: Page) =>
  page.evaluate(() =>
    window.states.map(({ isInitializing, user }) => `${isInitializing} ${user?.username}`),
  );

describe('a page', () => {
  test('that is loaded again shows its user, and nothing else before', async () => {
    const page = await openTab();
    await logIn(page, 'ada');
    await page.reload();
    await expectUser(page, 'ada');
    expect(await states(page)).toEqual(['true undefined', 'false ada']);
  });

  test('waits for auth to come back instead of showing the login', async () => {
    const page = await openTab();
    await logIn(page, 'ada');
    settings.fault = () => ({ kind: 'status', status: 503 });
    await page.reload();
    await page.waitForFunction(() => window.atrium.session.getState().error !== null);
    settings.fault = () => undefined;
    await expectUser(page, 'ada');
    expect(new Set(await states(page))).toEqual(new Set(['true undefined', 'false ada']));
  });

  test('asks nothing for a visitor when it keeps the hint', async () => {
    const page = await openTab('/?hint');
    await expectUser(page, null);
    expect(refreshes).toEqual([]);
    await logIn(page, 'ada');
    await page.reload();
    await expectUser(page, 'ada');
    await page.evaluate(() => window.atrium.auth.logOut());
    refreshes.length = 0;
    await page.reload();
    await expectUser(page, null);
    expect(refreshes).toEqual([]);
  });

  test('keeps no token in storage', async () => {
    const page = await openTab('/?hint');
    await logIn(page, 'ada');
    const stored = await page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie]),
    );
    expect(stored).not.toMatch(/eyJ|refreshToken/);
  });
});

describe('another tab', () => {
  test('takes the token of the first instead of refreshing', async () => {
    await openTabs(2);
    const second = await openTab();
    await expectUser(second, 'ada');
    expect(await call(second)).toBe('usr_ada');
    expect(refreshes).toEqual([]);
  });

  test('waits for the token of a refresh when others answer with the one before', async () => {
    await context.addInitScript(`{
      const { set } = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage');
      Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {
        set(receive) {
          set.call(this, (message) => (window.intercept ?? receive)(message, receive));
        },
      });
    }`);
    settings.ttlSeconds = 2;
    const [first, ...others] = await openTabs(3);
    settings.ttlSeconds = 900;
    await first.waitForTimeout(2_000);
    refreshes.length = 0;
    await first.evaluate(`window.intercept = (message, receive) =>
      setTimeout(receive, message.data.kind === 'ask' ? 100 : 0, message)`);
    for (const tab of others) {
      await tab.evaluate(`window.intercept = (message, receive) => {
        if (message.data.kind === 'token') delete window.intercept;
        else receive(message);
      }`);
    }
    await first.evaluate(() => window.atrium.session.refresh());
    for (const tab of others) {
      await tab.waitForFunction('window.intercept === undefined');
    }
    await others[0].evaluate(() => window.atrium.session.refresh());
    expect(refreshes).toHaveLength(1);
  });

  test('is logged in by a login and out by a logout', async () => {
    const [first, second] = await openTabs(2);
    await second.evaluate(() => window.atrium.auth.logOut());
    await expectUser(first, null);
    expect(await call(first)).toBe('Authentication required');
  });

  test('is logged out when the session is revoked', async () => {
    const [first, second] = await openTabs(2);
    platform.revoke('ada');
    expect(await call(first)).toBe('Invalid token');
    await expectUser(second, null);
  });

  test('follows a change of the account and its profile', async () => {
    const [first, second] = await openTabs(2);
    await logIn(first, 'grace');
    await expectUser(second, 'grace');
    expect(await call(second)).toBe('usr_grace');
  });

  test('does not bring a session back with a refresh that was under way at the logout', async () => {
    const [first, second] = await openTabs(2);
    settings.fault = (path) => (path === '/auth/refresh' ? { kind: 'delay', ms: 500 } : undefined);
    const refreshed = second.evaluate(() => window.atrium.session.refresh().catch(() => undefined));
    await expect.poll(() => refreshes.length).toBe(1);
    await first.evaluate(() => window.atrium.auth.logOut());
    await refreshed;
    await expectUser(second, null);
    expect(await call(second)).toBe('Authentication required');
  });

  test('does not do for a new account what was meant for the former', async () => {
    const [first, second] = await openTabs(2);
    settings.ttlSeconds = 0;
    await second.evaluate(() => window.atrium.session.refresh().catch(() => undefined));
    settings.ttlSeconds = 900;
    settings.fault = (path) => (path === '/auth/refresh' ? { kind: 'delay', ms: 300 } : undefined);
    const late = call(second);
    await logIn(first, 'grace');
    expect(['Another account has logged in', 'usr_ada']).toContain(await late);
  });
});

describe('the tab that refreshes', () => {
  test('is one of five when the token expires in all', async () => {
    settings.ttlSeconds = 2;
    const tabs = await openTabs(5);
    settings.ttlSeconds = 900;
    await tabs[0].waitForTimeout(2_000);
    refreshes.length = 0;
    const answers = await Promise.all(tabs.map(call));
    expect(answers).toEqual(Array.from({ length: 5 }, () => 'usr_ada'));
    expect(refreshes).toHaveLength(1);
  });

  test('is followed by one other when it is killed', async () => {
    const [first, ...rest] = await openTabs(3);
    settings.fault = (path) =>
      path === '/auth/refresh' && refreshes.length === 1 ? { kind: 'hang' } : undefined;
    void first.evaluate(() => window.atrium.session.refresh()).catch(() => undefined);
    await expect.poll(() => refreshes.length).toBe(1);
    const others = rest.map((tab) => tab.evaluate(() => window.atrium.session.refresh()));
    await first.close();
    await Promise.all(others);
    expect(refreshes).toHaveLength(2);
    expect(await Promise.all(rest.map(call))).toEqual(['usr_ada', 'usr_ada']);
  });
});

test('a call that visitors may make too waits for the session of the page', async () => {
  const [tab] = await openTabs(2);
  const verify = () => {
    const url = window.location.origin;
    const urls = { authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url };
    return window.createAtrium(urls).auth.verifyEmail('token', {}).catch(String);
  };
  expect(await tab.evaluate(verify)).toMatchObject({ account: 'usr_ada' });
  await tab.evaluate(() => window.atrium.auth.logOut());
  platform.calls.length = 0;
  expect(await tab.evaluate(verify)).toContain('Authentication required');
  expect(platform.calls).toEqual(['POST /auth/verify-email/token']);
});
