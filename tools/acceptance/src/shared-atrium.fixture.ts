import { inject } from 'vitest';
import { type Atrium, type AtriumAddresses, openAtrium } from './atrium.ts';

/** The platform that global-setup has started, or why there is none. */
export type SharedAtrium = { addresses: AtriumAddresses } | { fault: string };

declare module 'vitest' {
  interface ProvidedContext {
    sharedAtrium: SharedAtrium;
  }
}

/** The username of an operator of the shared platform, for one test file. */
export const OPERATOR = 'shared-operator';

/**
 * The platform of this test run, which other files use at the same time: stop nothing, and look only at
 * accounts of your own. `startAtrium` starts another one.
 */
export function sharedAtrium(): Atrium {
  const shared = inject('sharedAtrium');
  if ('fault' in shared) throw new Error(`The shared platform did not start: ${shared.fault}`);
  return openAtrium(shared.addresses);
}
