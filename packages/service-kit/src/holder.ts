import { AsyncLocalStorage } from 'node:async_hooks';

const holders = new AsyncLocalStorage<string | undefined>();

/**
 * Runs work, and all that it starts, for a holder: an account or, if its email address is not verified, its network.
 * The work then has a share of what others need too.
 */
export function runForHolder<Result>(holder: string | undefined, work: () => Result): Result {
  return holders.run(holder, work);
}

/** The holder that this work is for, if it is for one. */
export const currentHolder = (): string | undefined => holders.getStore();
