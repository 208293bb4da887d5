import { expect, test } from 'vitest';
import { startTestBrowser } from './browser.fixture.ts';
import type { PageWindow } from './page.fixture.ts';
import type { Fault } from './platform.fixture.ts';

declare const window: PageWindow;

const TABS = 5;
/** A call that is tried again must not meet the end of the new token too, also on a slow machine. */
const TTL_SECONDS = 5;
/** Short of its lifetime a token is fresh for all tabs. */
const FRESH_MS = TTL_SECONDS * 900;
/** `npm run test:tabs` runs the hundred. */
const EXPIRIES = Number(process.env['CLIENT_EXPIRIES'] ?? 3);
const CALL_EVERY_MS = 150;

/** A network that is slow now and then, cuts answers off, and a service that is overloaded. */
function flakyNetwork(): Fault | undefined {
  const chance = Math.random();
  if (chance < 0.1) return { kind: 'cut' };
  if (chance < 0.2) return { kind: 'status', status: 503, headers: { 'retry-after': '0' } };
  if (chance < 0.6) return { kind: 'delay', ms: Math.random() * 400 };
  return undefined;
}

test(
  `${TABS} tabs on a flaky network refresh once an expiry and sign nobody out`,
  async () => {
    await using browser = await startTestBrowser();
    const { platform, openTab } = browser;
    const { settings, refreshes } = platform;
    const tabs = await Promise.all(Array.from({ length: TABS }, () => openTab()));
    await Promise.all(
      tabs.map((tab) =>
        tab.waitForFunction(() => !window.atrium.session.getState().isInitializing),
      ),
    );
    settings.ttlSeconds = TTL_SECONDS;
    refreshes.length = 0;
    await tabs[0]?.evaluate(async () => {
      await window.atrium.auth.logIn({ email: 'ada@example.com', password: 'secret' });
    });
    await Promise.all(
      tabs.map((tab) => tab.waitForFunction(() => window.atrium.session.getState().user !== null)),
    );
    settings.fault = flakyNetwork;
    const worked = tabs.map((tab) =>
      tab.evaluate(
        async ({ everyMs }) => {
          window.states.length = 0;
          let calls = 0;
          while (!window.isOver) {
            await window.atrium.notes.getWorkspace('ws_1').then(
              () => (calls += 1),
              (error: unknown) => window.failures.push(String(error)),
            );
            await new Promise((resolve) => setTimeout(resolve, everyMs));
          }
          return calls;
        },
        { everyMs: CALL_EVERY_MS },
      ),
    );
    const delivered = () => refreshes.filter(({ outcome }) => outcome === 'delivered');
    await expect
      .poll(() => delivered().length, { timeout: EXPIRIES * 20_000, interval: 200 })
      .toBeGreaterThanOrEqual(EXPIRIES);
    await Promise.all(tabs.map((tab) => tab.evaluate(() => (window.isOver = true))));
    const calls = await Promise.all(worked);
    const found = await Promise.all(
      tabs.map((tab) =>
        tab.evaluate(() => ({
          signedOut: window.states.filter(({ user }) => user === null).length,
          failures: window.failures,
        })),
      ),
    );

    const done = delivered();
    const tooEarly = refreshes.filter(({ arrivedAtMs }) =>
      done.some(
        (earlier) =>
          earlier.answeredAtMs < arrivedAtMs && arrivedAtMs < earlier.answeredAtMs + FRESH_MS,
      ),
    );
    const count = (outcome: string) =>
      refreshes.filter((refresh) => refresh.outcome === outcome).length;
    console.log(
      `${done.length} expiries, ${calls.reduce((sum, n) => sum + n, 0)} calls by ${TABS} tabs: ` +
        `${refreshes.length} requests to refresh (${count('delivered')} answered, ${count('cut')} cut off, ` +
        `${count('failed')} refused with 503), ${tooEarly.length} while a token was fresh, ` +
        `${found.reduce((sum, { signedOut }) => sum + signedOut, 0)} sign-outs, ` +
        `${found.flatMap(({ failures }) => failures).length} failed calls`,
    );
    expect(found.map(({ signedOut }) => signedOut)).toEqual(tabs.map(() => 0));
    expect(tooEarly).toEqual([]);
    // Calls have failed because of the network alone.
    for (const failure of found.flatMap(({ failures }) => failures)) {
      expect(failure).toMatch(/could not be reached|Please try again|No answer within/);
    }
  },
  60_000 + EXPIRIES * 20_000,
);
