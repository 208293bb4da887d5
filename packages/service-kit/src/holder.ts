import { AsyncLocalStorage } from 'node:async_hooks';

const holders = new AsyncLocalStorage<string | undefined>();

/** Runs work, and all that it starts, for an account, whose share it then uses of what others need too. */
export function runForHolder<Result>(holder: string | undefined, work: () => Result): Result {
  return holders.run(holder, work);
}

/** The account that this work is for, if it is for one. */
export const currentHolder = (): string | undefined => holders.getStore();
