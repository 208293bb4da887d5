import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createRandom, type Random } from './random.ts';
import { slowPageScript } from './slow-page.ts';

/** A processor so many times slower. */
const SLOWNESS = [1, 1, 2, 4] as const;
/** Services stop for less than a request may take, so that each answer still comes. */
const STOPPED_MS = { min: 100, max: 2_000 };
const RUNNING_MS = { min: 1_000, max: 5_000 };
const SEED_MAX = 2 ** 31 - 1;

/** What `pnpm test:perturbed` gives; undefined in other runs. */
export const perturbedSeed = process.env['PERTURBED_SEED'];

/**
 * Makes the pages of a browser slow and late, and stops the processes of a platform for moments, all as the
 * seed says. Whatever is stopped runs again when it is disposed.
 */
export function perturb(
  browser: Browser,
  processIds: readonly number[],
  seed: string,
): AsyncDisposable {
  const random = createRandom(seed);
  perturbPages(browser, random);
  const stopping = new AbortController();
  const stops = stopNowAndThen(processIds, random, stopping.signal);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await stops;
    },
  };
}

function perturbPages(browser: Browser, random: Random): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    const seed = Math.floor(random.between(1, SEED_MAX));
    await context.addInitScript({ content: slowPageScript(seed) });
    const rate = random.pick(SLOWNESS);
    if (rate > 1)
      context.on('page', (page) =>
        // A page that is gone before needs no processor.
        slowDown(context, page, rate).catch(() => undefined),
      );
    return context;
  };
}

async function slowDown(context: BrowserContext, page: Page, rate: number): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

async function stopNowAndThen(
  processIds: readonly number[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const pause = ({ min, max }: { min: number; max: number }) =>
    sleep(random.between(min, max), undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    await pause(RUNNING_MS);
    const [stopped] = random.shuffled(processIds);
    if (stopped === undefined) continue;
    process.kill(stopped, 'SIGSTOP');
    await pause(STOPPED_MS);
    process.kill(stopped, 'SIGCONT');
  }
}
