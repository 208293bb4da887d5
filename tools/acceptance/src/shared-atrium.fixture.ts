import { inject } from 'vitest';
import { type Atrium, type AtriumAddresses, openAtrium } from './atrium.ts';

/** The shared platform, or why there is none. */
export type SharedAtrium = { addresses: AtriumAddresses } | { fault: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** A URL whose first reader has the platform started, and which answers with a `SharedAtrium`. */
    sharedAtriumUrl: string;
  }
}

/** The username of an operator of the shared platform, for one test file. */
export const OPERATOR = 'shared-operator';

/**
 * The platform of this test run, which other files use at the same time: stop nothing, and look only at
 * accounts of your own. `startAtrium` starts another one.
 */
export async function sharedAtrium(): Promise<Atrium> {
  const response = await fetch(inject('sharedAtriumUrl'));
  const shared = (await response.json()) as SharedAtrium;
  if ('fault' in shared) throw new Error(`The shared platform did not start: ${shared.fault}`);
  return openAtrium(shared.addresses);
}
