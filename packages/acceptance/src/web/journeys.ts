import { launchBrowser } from '@atrium/testkit/browser';
import { afterAll } from 'vitest';
import { createPerson } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { perturb, perturbedSeed } from '../perturbed/perturb.ts';
import { reportFailures } from './failure-report.ts';
import { openLoggedIn } from './forms.ts';
import { openVisitor } from './visitor.ts';

/** Starts the platform and a browser for the tests of a file, and stops them afterwards. */
export async function startJourneys(env: Record<string, string> = {}) {
  const [atrium, browser] = await Promise.all([startAtrium(env), launchBrowser()]);
  const faults =
    perturbedSeed === undefined
      ? undefined
      : perturb(browser, atrium.platform.processes, perturbedSeed);
  afterAll(async () => {
    await faults?.[Symbol.asyncDispose]();
    await browser.close();
    await atrium[Symbol.asyncDispose]();
  });
  const watch = reportFailures(browser, atrium);
  const { urls, mailbox } = atrium;
  return {
    atrium,
    createAccount: (username: string) => createPerson(urls.auth, mailbox, username),
    /** A browser in which nobody has logged in. */
    visit: (locale?: string) => watch(openVisitor(browser, urls.web, locale)),
    /** A browser in which this person has logged in and is at this address. */
    openAs: ({ email }: { email: string }, path: string, heading: string) =>
      watch(openLoggedIn(browser, urls.web, { email, path, heading })),
  };
}
