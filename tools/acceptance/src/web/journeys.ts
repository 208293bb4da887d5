import { launchBrowser } from '@atrium/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll } from 'vitest';
import type { Atrium } from '../atrium.ts';
import { createPerson, type RegistrationInput } from '../accounts.ts';
import { perturb, perturbedSeed } from '../perturbed/perturb.ts';
import { sharedAtrium } from '../shared-atrium.fixture.ts';
import { reportFailures } from './failure-report.ts';
import { openLoggedIn } from './forms.ts';
import { openVisitor } from './visitor.ts';

/** Starts a browser for the tests of a file, which use the shared platform or one of their own. */
export async function startJourneys(own?: Atrium) {
  const atrium = own ?? (await sharedAtrium());
  const browser = await launchBrowser();
  const faults =
    perturbedSeed === undefined ? undefined : perturb(browser, atrium.processIds, perturbedSeed);
  afterAll(async () => {
    await faults?.[Symbol.asyncDispose]();
    await browser.close();
  });
  const watch = reportFailures(browser, atrium);
  const { urls, mailbox } = atrium;
  return {
    atrium,
    /** The username only begins with a given name. */
    createAccount: (name: string | RegistrationInput) => createPerson(urls.auth, mailbox, name),
    /** A browser in which nobody has logged in. */
    visit: (locale?: string, device?: BrowserContextOptions) =>
      watch(openVisitor(browser, urls.web, { locale, device })),
    /** A browser in which this person has logged in and is at this address. */
    openAs: ({ email }: { email: string }, path: string, heading: string) =>
      watch(openLoggedIn(browser, urls, { email, path, heading })),
  };
}
